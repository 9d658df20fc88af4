/**
 * Labels that a definition suggests by its own words and annotations. They add caution until a person refuses them, and a
 * server cannot take one away. Pure. Tested in scan.test.ts.
 */
import type { ToolLabel } from '../declared/words.ts'
import type { Definition } from '../pins/pin.ts'

const words: readonly (readonly [ToolLabel, RegExp])[] = [
  [
    'external_send',
    /(?:^|[^a-z])(?:send|post|publish|tweet|notify|forward|reply|upload|share|webhook|invite)(?:s|es|ed|ing)?(?:[^a-z]|$)/,
  ],
  [
    'code_exec',
    /(?:^|[^a-z])(?:exec|execute|eval|shell|bash|terminal|run[ _-]?(?:code|command|script|sql|query)|python|subprocess)(?:s|d|ing)?(?:[^a-z]|$)/,
  ],
  [
    'payment',
    /(?:^|[^a-z])(?:pay|payment|refund|charge|transfer[ _-]?(?:money|funds)|invoice|purchase|checkout|payout)(?:s|ed|ing)?(?:[^a-z]|$)/,
  ],
  [
    'destructive',
    /(?:^|[^a-z])(?:delete|remove|drop|purge|destroy|wipe|truncate|terminate|revoke)(?:s|d|es|ed|ing)?(?:[^a-z]|$)/,
  ],
  [
    'write_shared',
    /(?:^|[^a-z])(?:write|create|update|edit|commit|merge|push|save|append|comment)(?:s|d|es|ed|ing)?(?:[^a-z]|$)/,
  ],
  [
    'reads_untrusted',
    /(?:^|[^a-z])(?:fetch|browse|crawl|scrape|search|web|url|issue|email|mail|inbox|ticket|comment|message|review)s?(?:[^a-z]|$)/,
  ],
]

export function suggestedLabels(definition: Definition): ToolLabel[] {
  const name = typeof definition.name === 'string' ? definition.name : ''
  const [summary = ''] = typeof definition.description === 'string' ? definition.description.split(/[.\n]/) : []
  const text = `${name.replaceAll(/([a-z])([A-Z])/g, '$1 $2')} ${summary}`.slice(0, 1_000).toLowerCase()
  const found = words.filter(([, pattern]) => pattern.test(text)).map(([label]) => label)
  return [...new Set([...found, ...annotated(definition.annotations)])]
}

/** Annotations are a claim of the server: those that ask for caution are believed. */
function annotated(annotations: unknown): ToolLabel[] {
  if (typeof annotations !== 'object' || annotations === null) return []
  const { destructiveHint, openWorldHint } = annotations as Record<string, unknown>
  return [
    ...(destructiveHint === true ? (['destructive'] as const) : []),
    ...(openWorldHint === true ? (['reads_untrusted'] as const) : []),
  ]
}
