/** Members of a Sigma document that are for people and that rules and correlations share. Pure. Tested in sigma.test.ts. */

import { type Severity, severities } from '../../alerts/declared/words.ts'
import { RuleRefusal } from '../engine/base/refusal.ts'
import { isMap } from '../engine/detection/selection.ts'
import { sigmaTags } from './tags.ts'

export type SigmaDocument = Readonly<Record<string, unknown>>

export interface Heading {
  readonly title: string
  readonly description: string | null
  readonly level: Severity
  readonly tags: readonly string[]
  /** Names by which correlations refer to it. */
  readonly names: readonly string[]
}

const members: ReadonlySet<string> = new Set([
  'title',
  'id',
  'name',
  'related',
  'taxonomy',
  'status',
  'description',
  'license',
  'author',
  'references',
  'date',
  'modified',
  'logsource',
  'detection',
  'correlation',
  'fields',
  'falsepositives',
  'level',
  'tags',
  'scope',
  'generate',
])

/** @throws RuleRefusal for a value that is no Sigma document, or has a member that is not supported */
export function documentOf(value: unknown): SigmaDocument {
  if (!isMap(value)) throw new RuleRefusal('document', '', 'The document is no map.')
  const { action, filter } = value
  if (action !== undefined) {
    throw new RuleRefusal('action', '/action', 'Actions over several documents are not supported; write a correlation.')
  }
  if (filter !== undefined) throw new RuleRefusal('filter', '/filter', 'Filter documents are not supported.')
  const unknown = Object.keys(value).find((name) => !members.has(name) && !/^(?:x-|custom)/.test(name))
  if (unknown !== undefined)
    throw new RuleRefusal(
      unknown.slice(0, 100),
      `/${unknown.slice(0, 100)}`,
      `The member ${unknown.slice(0, 100)} is unknown.`,
    )
  return value
}

export function headingOf(document: SigmaDocument): Heading {
  const { title, description, id, name } = document
  if (typeof title !== 'string' || title.trim() === '')
    throw new RuleRefusal('title', '/title', 'The rule needs a title.')
  if (title.length > 256) throw new RuleRefusal('title', '/title', 'The title has more than 256 characters.')
  if (document.taxonomy !== undefined && document.taxonomy !== 'sigma')
    throw new RuleRefusal('taxonomy', '/taxonomy', 'Only the taxonomy sigma is supported.')
  return {
    title: title.trim().slice(0, 160),
    description: typeof description === 'string' ? description.trim().slice(0, 4_000) : null,
    level: levelOf(document),
    tags: sigmaTags(document.tags),
    names: [id, name].filter((text) => typeof text === 'string'),
  }
}

function levelOf({ level }: SigmaDocument): Severity {
  if (level === undefined) return 'medium'
  const word = level === 'informational' ? 'info' : level
  const found = severities.find((severity) => severity === word)
  if (found === undefined) {
    throw new RuleRefusal('level', '/level', 'The level is informational, low, medium, high or critical.')
  }
  return found
}
