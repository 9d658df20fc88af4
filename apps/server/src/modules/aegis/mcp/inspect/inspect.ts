/**
 * Inspects the result of a tool: hidden orders, secrets, personal data, and links that carry data away. A detector
 * alone removes nothing from a result: its findings are recorded and become labels, which the flow rules and guardrails
 * read. Tested in inspect.test.ts.
 */
import type { ThreadTask } from '../../../../kernel/threads/thread-task.ts'
import { ownDetector } from '../scan/scan-task.ts'

export interface Inspected {
  /** `injection`, `secret`, `pii`, `exfiltration-link` and `<detector>:<type>` of each. */
  readonly detections: readonly string[]
}

const mostDetections = 24
/** A score that one harmless text in a thousand reaches. */
const leastInjection = 0.9

export function inspectText(text: string): Inspected {
  if (text.trim() === '') return { detections: [] }
  const detector = ownDetector()
  const found = new Set<string>()
  const { score, families } = detector.scanPrompt(text, { channel: 'tool_result' })
  if (score >= leastInjection || families.includes('invisible-text')) {
    found.add('injection')
    for (const family of families) found.add(`injection:${family}`)
  }
  for (const { type } of detector.findSecrets(text)) found.add('secret').add(`secret:${type}`)
  for (const { type } of detector.findPii(text)) found.add('pii').add(`pii:${type}`)
  if (exfiltrates(text)) found.add('exfiltration-link')
  return { detections: [...found].slice(0, mostDetections) }
}

/** An image is fetched without any action of the reader, with all data in its address. */
const imageLink =
  /!\[[^\]\n]{0,200}\]\(\s{0,4}https?:\/\/[^)\s]{1,2000}[?=][^)\s]{0,2000}\)|<img\s[^>]{0,500}src\s{0,4}=\s{0,4}["']?https?:\/\/[^"'>\s]{1,2000}\?/i
const filledLink =
  /https?:\/\/[^\s)"'<>]{4,300}[?&][\w-]{1,40}=(?:\{[\w .-]{1,60}\}|\$\{[\w .-]{1,60}\}|\[[\w .-]{3,60}\]|<[\w .-]{3,60}>)/

const exfiltrates = (text: string): boolean => imageLink.test(text) || filledLink.test(text)

export const inspectTask: ThreadTask<string, Inspected> = { name: 'aegis.mcp.inspect', run: inspectText }
