// machine: what is to be known of the computer itself, for `lockstep doctor`. Looks, and leaves nothing behind.

export interface Machine {
  /** Of Node, without the `v`. */
  readonly node: string;
  /** `linux x64`. */
  readonly platform: string;
  readonly home: string;
  /** Only whether it is there: nothing is opened. */
  exists(path: string): boolean;
  /** Bytes left where this folder is, or will be; undefined: the system does not tell. */
  freeSpace(folder: string): number | undefined;
  /** Why nothing can be made in this folder, which may still have to be made itself; undefined: it can. */
  whyUnwritable(folder: string): string | undefined;
}
