/** Says for people why a key cannot be read. */
export class SecretUnreadable extends Error {
  /** The place has answered that there is none, as against one that could not be asked. */
  readonly final: boolean

  constructor(message: string, { final = true, cause }: { readonly final?: boolean; readonly cause?: unknown } = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'SecretUnreadable'
    this.final = final
  }
}
