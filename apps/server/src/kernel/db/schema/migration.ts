/** One SQL text, applied once, in the order of modules and numbers. */
export interface Migration {
  /** `<module>-<NNNN>-<name>` */
  readonly id: string
  readonly sql: string
}
