/**
 * Labels of a conversation: a set that only grows. A tool's reads add labels, and its actions are checked against them.
 * Pure. Tested in flow.test.ts.
 */
import type { ToolLabel, TrustLevel } from '../declared/words.ts'

export interface LabelledTool {
  readonly server: string
  readonly tool: string
  /** Labels set by people, and suggestions that were not refused. */
  readonly labels: ReadonlySet<ToolLabel>
  readonly trust: TrustLevel
}

export interface FlowVerdict {
  readonly action: 'hold' | 'deny'
  readonly rule: 'untrusted-private-send' | 'untrusted-execution' | 'restricted-to-unverified' | 'secret-to-others'
}

/** Labels of one conversation: names of servers and tools could make them endless. */
export const mostLabels = 64

const has = (labels: ReadonlySet<string>, ...wanted: readonly string[]): boolean =>
  wanted.some((label) => labels.has(label))
const isPrivate = (labels: ReadonlySet<string>): boolean =>
  has(labels, 'private:internal', 'private:confidential', 'private:restricted', 'pii', 'secret')

/**
 * The built-in rules, the strictest first. Untrusted content and private data in one conversation may not leave it without
 * a person; neither may untrusted content run code, pay or destroy. Restricted data goes to verified servers alone, and a
 * secret to the server that it came from.
 */
export function judgeFlow(held: ReadonlySet<string>, { server, labels, trust }: LabelledTool): FlowVerdict | null {
  const sends = labels.has('external_send')
  if (held.has('private:restricted') && trust !== 'verified' && !onlyFrom(held, server, 'private:restricted'))
    return { action: 'deny', rule: 'restricted-to-unverified' }
  if (held.has('secret') && sends && !onlyFrom(held, server, 'secret'))
    return { action: 'deny', rule: 'secret-to-others' }
  if (held.has('untrusted') && isPrivate(held) && sends) return { action: 'hold', rule: 'untrusted-private-send' }
  if (held.has('untrusted') && has(labels, 'code_exec', 'payment'))
    return { action: 'hold', rule: 'untrusted-execution' }
  return null
}

/** Whether all that carries a label came from one server: to give it back there tells it nothing. */
function onlyFrom(held: ReadonlySet<string>, server: string, label: string): boolean {
  const sources = [...held].filter((each) => each.startsWith(`${label}@`)).map((each) => each.slice(label.length + 1))
  return sources.length > 0 && sources.every((source) => source === server)
}

/**
 * Whether the labels of its conversation decide about a tool at all.
 * @param hasRestricted whether any conversation of the tenant may hold restricted data
 */
export function isGuarded({ labels, trust }: Pick<LabelledTool, 'labels' | 'trust'>, hasRestricted: boolean): boolean {
  return (hasRestricted && trust !== 'verified') || has(labels, 'external_send', 'code_exec', 'payment')
}

export interface Read {
  readonly tool: LabelledTool
  /** Detections in the result. */
  readonly detections: ReadonlySet<string>
}

/** Labels that a result adds. */
export function labelsRead({ tool, detections }: Read): string[] {
  const { server, labels } = tool
  const found = [...labels].flatMap((label) => {
    if (label === 'reads_untrusted') return ['untrusted']
    return label.startsWith('reads_private:') ? [label.slice('reads_'.length)] : []
  })
  const seen = [
    ...found,
    ...(detections.has('injection') ? ['untrusted'] : []),
    ...(detections.has('secret') ? ['secret'] : []),
    ...(detections.has('pii') ? ['pii'] : []),
  ]
  if (seen.length === 0) return []
  const origins = seen
    .filter((label) => label === 'private:restricted' || label === 'secret')
    .map((label) => `${label}@${server}`)
  return [...new Set([...seen, ...origins, `src:${server}/${tool.tool}`.slice(0, 128)])]
}

/** The union, which never loses one that decides. */
export function union(held: ReadonlySet<string>, more: readonly string[]): ReadonlySet<string> {
  const all = new Set(held)
  for (const label of more) if (all.size < mostLabels || !label.startsWith('src:')) all.add(label)
  return all
}
