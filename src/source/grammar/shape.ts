// shape: what a part of a definition may look like, as data. The checker, the editors' schema and the field tables of
// docs/language.md all come from it, so that there is one place that says what the language is.

import type { NameRule } from './name.ts';

export type Shape =
  /** A template. */
  | { kind: 'text' }
  /** A template; numbers and booleans are taken as written. */
  | { kind: 'argument' }
  /**
   * A text in which nothing is filled in. With `loose`, numbers and booleans are taken as written; with `warn`,
   * a `{{` gets a warning, because somebody may think that something is.
   */
  | { kind: 'literal'; loose?: boolean; warn?: boolean }
  | { kind: 'cel' }
  /** `x in list`, the list being CEL. */
  | { kind: 'each' }
  | { kind: 'name'; rule: NameRule }
  | { kind: 'integer'; min: number; max?: number }
  /** 0 or more; with `above`, more than 0. */
  | { kind: 'number'; above?: boolean }
  | { kind: 'boolean' }
  | { kind: 'duration' }
  | { kind: 'size' }
  | { kind: 'choice'; of: readonly string[] }
  /** The number that says which version of the language this is. */
  | { kind: 'version' }
  | { kind: 'list'; of: Shape; filled?: boolean }
  /** A map whose keys the user chooses. */
  | { kind: 'record'; keys: NameRule; of: Shape }
  | { kind: 'object'; fields: Fields; name?: string }
  | Variants
  /** One of these, told apart by what stands there: a text, a number, a list, a map. */
  | { kind: 'either'; of: readonly Shape[] }
  /** Any JSON; with `templates`, its texts are templates. */
  | { kind: 'json'; templates: boolean }
  /** A map of any JSON, some of whose keys are known. */
  | { kind: 'open'; known: Fields }
  /** A map of any JSON. */
  | { kind: 'json-map'; templates: boolean }
  /** A name, a path, or JSON Schema in place. */
  | { kind: 'schema' }
  /** Breaks the circle of steps in steps. */
  | { kind: 'later'; shape: () => Shape };

export interface Field {
  shape: Shape;
  description: string;
  required?: boolean;
}
export type Fields = Readonly<Record<string, Field>>;

/** A map that is one of several things; which one is told by the fields in `marks`. */
export interface Variants {
  kind: 'variants';
  /** What it is, for messages and editors: `step`, `action`. */
  name: string;
  /** What the marks are called: `verb`. */
  markName: string;
  common: Fields;
  branches: readonly Branch[];
}

export interface Branch {
  /** For messages: `parallel`. */
  name: string;
  /** Present in this branch, all of them; a mark of another branch is not. */
  marks: readonly string[];
  description: string;
  fields: Fields;
}

export function field(shape: Shape, description: string): Field {
  return { shape, description };
}
export function required(shape: Shape, description: string): Field {
  return { shape, description, required: true };
}
export function listOf(of: Shape, filled = false): Shape {
  return { kind: 'list', of, filled };
}
export function either(...of: Shape[]): Shape {
  return { kind: 'either', of };
}
export function choice(...of: string[]): Shape {
  return { kind: 'choice', of };
}
export function object(fields: Fields, name?: string): Shape {
  return name === undefined ? { kind: 'object', fields } : { kind: 'object', fields, name };
}
export function name(rule: NameRule): Shape {
  return { kind: 'name', rule };
}
export function record(keys: NameRule, of: Shape): Shape {
  return { kind: 'record', keys, of };
}

export const text: Shape = { kind: 'text' };
export const literal: Shape = { kind: 'literal' };
export const cel: Shape = { kind: 'cel' };
export const boolean: Shape = { kind: 'boolean' };
export const duration: Shape = { kind: 'duration' };
export const count: Shape = { kind: 'integer', min: 1 };
export const templated: Shape = { kind: 'json', templates: true };
