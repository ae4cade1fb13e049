// scenario: one behaviour, shown with every client. Where a client cannot do it, the reason stands in the name of the
// test, for the table, and the test shows that Lockstep says so.

import { describe, it, onTestFailed } from 'vitest';
import type { Client, ClientName } from './clients/client.ts';
import { clients } from './clients.ts';
import { openScene, type Scene, type SceneOptions } from './scene.ts';

type Body = (scene: Scene) => Promise<void>;
type Opening = SceneOptions | ((client: Client) => SceneOptions);

export interface Unsupported {
  /** For the table. */
  why: string;
  /** What is to be seen instead. */
  instead: Body;
}

export function scenario(
  title: string,
  opening: Opening,
  body: Body,
  unsupported: Partial<Record<ClientName, Unsupported>> = {},
): void {
  describe(title, () => {
    for (const client of clients) {
      const not = unsupported[client.name];
      const name = not === undefined ? client.name : `${client.name}: not supported: ${not.why}`;
      it(name, () => played(client, opening, not?.instead ?? body));
    }
  });
}

/** With those clients that a person starts, which Lockstep then leads: the Agent SDK is a library. */
export function ledScenario(title: string, opening: Opening, body: Body): void {
  describe(title, () => {
    for (const client of clients.filter(({ led }) => led !== undefined))
      it(client.name, () => played(client, opening, body));
  });
}

/** The same, where its hooks hold the session that a person started. */
export function heldScenario(
  title: string,
  opening: Opening,
  body: Body,
  unsupported: Partial<Record<ClientName, Unsupported>> = {},
): void {
  describe(title, () => {
    for (const client of clients.filter(({ held }) => held !== undefined)) {
      const not = unsupported[client.name];
      const name = not === undefined ? client.name : `${client.name}: not supported: ${not.why}`;
      it(name, () => played(client, opening, not?.instead ?? body));
    }
  });
}

async function played(client: Client, opening: Opening, body: Body): Promise<void> {
  const scene = await openScene(client, typeof opening === 'function' ? opening(client) : opening);
  let story = '';
  onTestFailed(() => console.log(story));
  try {
    await body(scene);
  } finally {
    story = scene.story();
    await scene.close();
  }
}
