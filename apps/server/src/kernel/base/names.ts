/**
 * Questions about the names of members, whose answers are kept: names come from our own code but for a few, the same
 * dozens again and again. Tested in names.test.ts.
 */

/** Names come from outside too, and the bound keeps hostile ones from growing it. */
const mostKept = 2_000

/** The same question, asked once of each name. */
export function askedOnce(question: (name: string) => boolean): (name: string) => boolean {
  const verdicts = new Map<string, boolean>()
  return (name) => {
    const known = verdicts.get(name)
    if (known !== undefined) return known
    const verdict = question(name)
    if (verdicts.size < mostKept) verdicts.set(name, verdict)
    return verdict
  }
}
