// workspace: the argument by which a client says which project it means.

import { text } from '../schema.ts';

export const WORKSPACE = text(
  'The folder of the project, absolute. Left out: the one this server was started in.',
);
