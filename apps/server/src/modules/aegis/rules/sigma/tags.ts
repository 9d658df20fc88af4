import { RuleRefusal } from '../engine/base/refusal.ts'
import { isKnownTag, tagForm } from '../tags/tags.ts'

const mostTags = 20

/**
 * Tags of a Sigma rule as ours: `atlas.aml.t0051` is AML.T0051, `owasp.llm01` is LLM01, and those of other namespaces stay
 * as they are. @throws RuleRefusal for one of ours that is not in the shipped lists
 */
export function sigmaTags(tags: unknown): readonly string[] {
  if (tags === undefined || tags === null) return []
  if (!Array.isArray(tags) || !tags.every((tag) => typeof tag === 'string'))
    throw new RuleRefusal('tags', '/tags', 'Tags are a list of texts.')
  const read = tags.map((tag, index) => {
    const own = /^(?:atlas|owasp|owasp-llm|owasp-agentic|owasp-mcp)\.(.+)$/i.exec(tag)?.[1]?.toUpperCase()
    const known = own ?? tag
    if (own !== undefined && !isKnownTag(own)) {
      throw new RuleRefusal('tags', `/tags/${index}`, `${tag.slice(0, 60)} is not in the lists of OWASP and ATLAS.`)
    }
    if (!tagForm.test(known)) throw new RuleRefusal('tags', `/tags/${index}`, `${tag.slice(0, 60)} is no tag.`)
    return known
  })
  return [...new Set(read)].slice(0, mostTags)
}
