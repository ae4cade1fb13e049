// place-name: how a step, or a part of what surrounds its work, is named in logs, to agents and to people.

/** `plan`, or `plan.done[1]`: a dot cannot stand in an id. */
export function placeName(path: string, part?: string): string {
  return part === undefined ? path : `${path}.${part}`;
}
