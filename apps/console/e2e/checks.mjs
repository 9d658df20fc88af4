/** Counts what held and what did not; a failed check does not end the run. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const norms = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

export function createChecks() {
  const failed = []
  let held = 0
  const expect = (name, ok, seen = '') => {
    if (ok) held += 1
    else failed.push(name)
    if (!ok) console.error(`not held: ${name} ${seen}`)
  }
  return {
    expect,
    equal: (name, actual, wanted) => expect(name, actual === wanted, `(${actual}, expected ${wanted})`),
    /** No violation of WCAG 2.2 A and AA that axe-core finds. */
    accessible: async (name, page) => {
      await page.evaluate(axe)
      const { violations } = await page.evaluate((tags) => window.axe.run(document, { runOnly: tags }), norms)
      const told = violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes
            .slice(0, 3)
            .map((node) => node.html.slice(0, 160))
            .join(' | ')}`,
      )
      expect(`WCAG 2.2 AA on ${name}`, violations.length === 0, told.join('\n  '))
    },
    finish: () => {
      console.log(`console: ${held} checks held, ${failed.length} did not`)
      return failed.length === 0
    },
  }
}
