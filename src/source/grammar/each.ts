// each: `x in list`, taken apart.

export interface EachParts {
  name: string;
  list: string;
  /** Where the list starts in the text. */
  listAt: number;
}

const EACH = /^(\s*)([^\s]+)(\s+in\s+)(\S[\s\S]*)$/;

export function parseEach(text: string): EachParts | undefined {
  const [, lead = '', name = '', between = '', list = ''] = EACH.exec(text) ?? [];
  return list === '' ? undefined : { name, list, listAt: lead.length + name.length + between.length };
}
