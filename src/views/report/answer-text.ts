// answer-text: values in a line, and reading what agents answered by its shape: nobody promised one.

import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { plain } from '../text/plain.ts';

const MOST = 160;

/** The beginning of it, in a line. However large the value is, this is not much work. */
export function answerText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value.slice(0, MOST * 2) : beginning(value, MOST + 1);
  const line = plain(text).trim();
  return line.length > MOST ? `${line.slice(0, MOST)}…` : line;
}

function beginning(value: Json, most: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, most));
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  let text = isList ? '[' : '{';
  for (const key in value) {
    if (text.length > most) break;
    const inner = beginning((value as JsonObject)[key] as Json, most - text.length);
    text += `${text.length > 1 ? ',' : ''}${isList ? '' : `${JSON.stringify(key)}:`}${inner}`;
  }
  return `${text}${isList ? ']' : '}'}`;
}

export function asMap(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

export function maps(value: Json | undefined): JsonObject[] {
  const found: JsonObject[] = [];
  for (const item of Array.isArray(value) ? value : []) {
    const map = asMap(item);
    if (map) found.push(map);
  }
  return found;
}

/** The first of these that is a text. */
export function word(map: JsonObject, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(map, name) ? map[name] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return plain(value).trim();
  }
  return undefined;
}

export function figure(map: JsonObject | undefined, name: string): number | undefined {
  const value = map && Object.hasOwn(map, name) ? map[name] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
