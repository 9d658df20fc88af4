/** A Sigma rule as one source of the engine. Pure. Tested in sigma.test.ts. */

import type { Source } from '../declared/schema.ts'
import { type Category, categories } from '../declared/words.ts'
import { RuleRefusal } from '../engine/base/refusal.ts'
import { compileDetection } from '../engine/detection/detection.ts'
import { isMap } from '../engine/detection/selection.ts'
import type { SigmaDocument } from './document.ts'

/** @throws RuleRefusal for a construct that is not supported, and last for a log source of another product */
export function sourceOf(document: SigmaDocument, name: string): Source {
  const { detection, logsource } = document
  if (!isMap(detection)) throw new RuleRefusal('detection', '/detection', 'The rule needs a detection.')
  compileDetection(detection, '/detection')
  return { name, category: categoryOf(logsource), condition: null, detection }
}

const named: ReadonlySet<string> = new Set(categories)
const isCategory = (name: unknown): name is Category => typeof name === 'string' && named.has(name)

function categoryOf(logsource: unknown): Category {
  if (!isMap(logsource)) throw new RuleRefusal('logsource', '/logsource', 'The rule needs a log source.')
  const { product, category, service } = logsource
  if (product !== 'parapet') {
    const told = [product, category, service].filter((part) => typeof part === 'string').join('/')
    const detail = `The log source ${told.slice(0, 100)} is not collected here. Collected are those of the product parapet: ${categories.join(', ')}.`
    throw new RuleRefusal('logsource', '/logsource/product', detail)
  }
  if (service !== undefined) {
    throw new RuleRefusal('logsource', '/logsource/service', 'The product parapet has categories and no services.')
  }
  if (!isCategory(category)) {
    const detail = `The product parapet has the categories ${categories.join(', ')}.`
    throw new RuleRefusal('logsource', '/logsource/category', detail)
  }
  return category
}
