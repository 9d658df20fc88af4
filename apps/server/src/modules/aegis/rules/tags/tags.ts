/**
 * Tags of rules and alerts. Those of OWASP (LLM 2025, Agentic 2026, MCP) and of MITRE ATLAS are checked against the lists
 * here; tags of other vocabularies are written with a namespace, as `attack.t1059`. Tested in tags.test.ts.
 */
import { atlasTechniques } from './atlas.ts'

const tens = (prefix: string): readonly string[] =>
  Array.from({ length: 10 }, (_, index) => `${prefix}${String(index + 1).padStart(2, '0')}`)

const known: ReadonlySet<string> = new Set([...tens('LLM'), ...tens('ASI'), ...tens('MCP'), ...atlasTechniques])

export const isKnownTag = (tag: string): boolean => known.has(tag)

/** Of a tag with a namespace. */
const foreignForm = /^[a-z][a-z0-9_-]*(?:\.[a-z0-9_-]+)+$/

export const tagForm = /^[A-Za-z0-9][A-Za-z0-9._-]{1,63}$/

/** Whether a rule may have the tag. */
export const isTag = (tag: string): boolean => isKnownTag(tag) || (foreignForm.test(tag) && !/^aml\./.test(tag))
