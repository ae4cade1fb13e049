// part: what surrounds the work of a step, by name: `enter[0]`, `done[1]`, `exit[0]`, `do[0]`, `probe`.

export type PartStage = 'enter' | 'done' | 'exit' | 'do' | 'probe';

export interface Part {
  stage: PartStage;
  index: number;
}

export function partName(stage: Exclude<PartStage, 'probe'>, index: number): string {
  return `${stage}[${index}]`;
}

export function partOf(name: string | undefined): Part | undefined {
  if (name === undefined) return undefined;
  const bracket = name.indexOf('[');
  if (bracket < 0) return { stage: name as PartStage, index: 0 };
  return { stage: name.slice(0, bracket) as PartStage, index: Number(name.slice(bracket + 1, -1)) };
}
