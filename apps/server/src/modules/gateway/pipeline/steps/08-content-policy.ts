import { normalize } from '@parapet/detect'
import { errors } from '../../errors.ts'
import { isAllowed } from '../../policy/globs.ts'
import type { CallState } from '../call-state.ts'
import { note } from '../findings.ts'
import type { PipelineParts } from '../parts.ts'
import { allow, blockByPolicy, type Step } from '../step.ts'

interface Broken {
  readonly rule: string
  readonly action: 'flag' | 'block'
  readonly location: string
  readonly count: number
}

/** The policy's own words: denied terms and patterns, tools, and what every call must say about itself. */
export function contentPolicy(parts: PipelineParts): Step {
  return {
    n: 8,
    name: 'content_policy',
    budgetMs: 0.5,
    onFailure: 'content_policy',
    run: (state) => {
      const broken = [...textRules(state, parts), ...toolRules(state), ...metadataRules(state)]
      for (const { rule, action, location, count } of broken) {
        note(state, { rule, step: 'content_policy', category: 'content', action, location, count })
      }
      const blocking = broken.filter(({ action }) => action === 'block')
      if (blocking.length === 0) return broken.length > 0 ? { decision: 'flag' } : allow
      const names = [...new Set(blocking.map(({ rule }) => rule))]
      const where = blocking.map(({ rule, location }) => ({
        detail: `The rule ${rule} was broken.`,
        pointer: location,
      }))
      return blockByPolicy(errors.contentPolicy({ names }).at(where.slice(0, 20)))
    },
  }
}

function textRules(state: CallState, { analyses }: PipelineParts): readonly Broken[] {
  const { rules } = state.policy
  if (rules.length === 0) return []
  return analyses.texts(state).flatMap(({ text, location }) => {
    const views = { original: text, normalized: normalize(text).text }
    return rules.flatMap(({ id, action, count }) => {
      const found = count(views)
      return found > 0 ? [{ rule: id, action, location, count: found }] : []
    })
  })
}

function toolRules({ call, policy }: CallState): readonly Broken[] {
  const { tools } = policy.effective.content
  const denied = call.tools.flatMap(({ name }, index) =>
    isAllowed(tools, name)
      ? []
      : [{ rule: 'tool-not-allowed', action: 'block' as const, location: `/tools/${index}`, count: 1 }],
  )
  const tooMany = call.tools.length > tools.max_tools
  return tooMany
    ? [...denied, { rule: 'too-many-tools', action: 'block', location: '/tools', count: call.tools.length }]
    : denied
}

function metadataRules({ call, policy }: CallState): readonly Broken[] {
  return policy.effective.content.required_metadata
    .filter((name) => !(name in call.metadata))
    .map((name) => ({ rule: `metadata-${name}`, action: 'block', location: `/metadata/${name}`, count: 1 }))
}
