/** A backup that is not good, with the name of the check that it failed. */
export class BackupRefused extends Error {
  readonly check: string

  constructor(check: string, detail: string, cause?: unknown) {
    super(`The backup failed its check of ${check}: ${detail}`, cause === undefined ? {} : { cause })
    this.name = 'BackupRefused'
    this.check = check
  }
}
