// workspace: the argument by which a client says which project it means.

import { text } from '../schema.ts';

export const WORKSPACE = text('Absolute. Left out: where this server was started.');
