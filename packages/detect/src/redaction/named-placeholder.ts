import type { Vault } from './vault.ts'

/** Longest name with its number. */
const name = /[a-z][a-z0-9_]{0,25}[_ -][0-9]{1,7}(?![0-9])/gi

/** Whether a text names a placeholder or holds a stand-in of the vault, in any brackets or none. Tested in link-state.test.ts. */
export function namesPlaceholder(text: string, vault: Vault): boolean {
  for (const [found] of text.matchAll(name)) {
    const written = found.replace(/[ -](?=[0-9]+$)/, '_')
    if (vault.valueOf(written) !== undefined) return true
  }
  return vault.synthetics.entries().some(({ placeholder }) => text.includes(placeholder))
}
