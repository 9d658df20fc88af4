/** Files an operator names in the settings, read at start. Tested through those who read them. */
import { readFileSync } from 'node:fs'

/** @throws Error of the file system */
export function textOfFile(path: string): string {
  return readFileSync(path, 'utf8')
}

/** @param what names the file for people. @throws Error with words for the operator */
export function jsonOfFile(path: string, what: string): unknown {
  try {
    return JSON.parse(textOfFile(path))
  } catch (cause) {
    throw new Error(`The ${what} ${path} cannot be read as JSON.`, { cause })
  }
}
