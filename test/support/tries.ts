// tries: how often something random or repeated is tried. CI tries all of it, also `CI=1 npm test`; whoever waits for a plain
// `npm test` gets a part.

export function tries(all: number, brief: number): number {
  return process.env.CI ? all : brief;
}
