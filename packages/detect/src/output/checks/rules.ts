/** Findings of output inspection, by rule: type, check, and severity in a chat and in a tool call. */
import type { Finding } from '../../base/finding.ts'

/** Groups of rules that can be switched off one by one. */
export const outputChecks = [
  'canary',
  'prompt-leak',
  'links',
  'commands',
  'code',
  'packages',
  'terminal',
  'hidden-text',
  'foreign-values',
] as const
export type OutputCheck = (typeof outputChecks)[number]

/** Stable names: they are part of the API. */
export type OutputType =
  | 'system-prompt-leak'
  | 'canary'
  | 'markdown-exfiltration'
  | 'html-exfiltration'
  | 'script-url'
  | 'dangerous-command'
  | 'credential-access'
  | 'sql-without-where'
  | 'eval-of-input'
  | 'tls-disabled'
  | 'typosquat'
  | 'ansi-escape'
  | 'bidi-in-code'
  | 'invisible-text'
  | 'hidden-html'

export type Severity = 'none' | 'low' | 'medium' | 'high' | 'critical'
export type OutputChannel = 'chat' | 'tool_call'
export type OutputVerdict = 'allow' | 'flag' | 'block'

const order: readonly Severity[] = ['none', 'low', 'medium', 'high', 'critical']

/** Severity of a rule: the risk for a reader in a chat, and the effect of carrying it out in a tool call. */
type Grades = readonly [chat: Severity, toolCall: Severity]

const grades: Readonly<Record<string, Grades>> = {
  canary: ['critical', 'critical'],
  'prompt-phrase': ['low', 'low'],
  'prompt-sentence': ['medium', 'medium'],
  'prompt-passage': ['high', 'high'],
  'prompt-coverage': ['medium', 'medium'],
  'prompt-decoded': ['high', 'high'],
  'load-conversation': ['critical', 'critical'],
  'load-encoded': ['high', 'critical'],
  'load-random': ['high', 'high'],
  'load-template': ['high', 'high'],
  'load-prose': ['high', 'high'],
  'load-off-list': ['medium', 'medium'],
  'link-conversation': ['high', 'critical'],
  'link-encoded': ['high', 'high'],
  'link-random': ['medium', 'medium'],
  'link-off-list': ['low', 'low'],
  'disguised-host': ['medium', 'high'],
  'script-scheme': ['high', 'high'],
  'document-data': ['high', 'high'],
  'handler-request': ['high', 'high'],
  'pipe-to-shell': ['medium', 'high'],
  'remote-script': ['medium', 'high'],
  'delete-system': ['high', 'critical'],
  'wipe-device': ['high', 'critical'],
  'fork-bomb': ['high', 'critical'],
  'world-writable': ['medium', 'high'],
  'powershell-download': ['high', 'critical'],
  'encoded-command': ['high', 'critical'],
  'download-tool': ['high', 'critical'],
  'reverse-shell': ['critical', 'critical'],
  'host-mount': ['medium', 'critical'],
  'defense-off': ['medium', 'high'],
  'authorized-keys': ['medium', 'critical'],
  'credential-read': ['medium', 'critical'],
  'credential-path': ['low', 'high'],
  'credential-upload': ['critical', 'critical'],
  'environment-upload': ['high', 'critical'],
  'metadata-service': ['medium', 'critical'],
  'delete-all': ['medium', 'critical'],
  'update-all': ['medium', 'critical'],
  'drop-object': ['low', 'critical'],
  'eval-of-input': ['medium', 'high'],
  'shell-of-input': ['medium', 'high'],
  'unsafe-load': ['medium', 'high'],
  'markup-of-input': ['medium', 'medium'],
  'tls-disabled': ['medium', 'high'],
  'near-popular-name': ['high', 'critical'],
  'terminal-color': ['low', 'low'],
  'terminal-control': ['medium', 'high'],
  'terminal-link': ['medium', 'high'],
  'terminal-clipboard': ['high', 'critical'],
  'bidi-override': ['high', 'high'],
  'bidi-in-code': ['medium', 'high'],
  'tag-characters': ['high', 'high'],
  'hidden-run': ['medium', 'medium'],
  'interleaved-hidden': ['low', 'low'],
  'hidden-element': ['low', 'low'],
  'hidden-instruction': ['medium', 'high'],
}

/** How grave a finding is; rules of other detectors count as medium. */
export function severityOf({ rule = '' }: Finding, channel: OutputChannel): Severity {
  const grade = grades[rule]
  if (!grade) return 'medium'
  return channel === 'chat' ? grade[0] : grade[1]
}

/** The gravest severity of all findings. */
export function worstSeverity(findings: readonly Finding[], channel: OutputChannel): Severity {
  let worst = 0
  for (const finding of findings) worst = Math.max(worst, order.indexOf(severityOf(finding, channel)))
  return order[worst] ?? 'none'
}

const verdicts: Readonly<Record<Severity, OutputVerdict>> = {
  none: 'allow',
  low: 'allow',
  medium: 'flag',
  high: 'block',
  critical: 'block',
}

/** The verdict for a severity: high and critical block, medium flags. */
export const verdictOf = (severity: Severity): OutputVerdict => verdicts[severity]

/** The types whose findings are addresses that can be rewritten to text. */
export const isLinkType = (type: string): boolean =>
  type === 'markdown-exfiltration' || type === 'html-exfiltration' || type === 'script-url'

export const maxEvidence = 80

/** Text for a person: one line, printable, at most 80 characters. */
export function evidenceOf(text: string): string {
  if (/^[ -~]{0,80}$/.test(text)) return text
  let shown = ''
  for (const char of text.slice(0, maxEvidence * 2)) {
    if (shown.length + char.length > maxEvidence) break
    const code = char.codePointAt(0) ?? 0
    const isPlain = code >= 32 && (code < 127 || (code > 160 && code < 0x2000) || (code > 0x2fff && code < 0xd800))
    shown += isPlain ? char : code === 10 || code === 9 ? ' ' : '\u00b7'
  }
  return shown
}
