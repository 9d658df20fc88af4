/** Rewrites dangerous links to inert text. Tested in links.test.ts and output-stream.test.ts. */
import { byPosition, type Finding } from '../../base/finding.ts'
import { isLinkType } from '../checks/rules.ts'
import { readAddress } from './address.ts'

/**
 * Replaces each found link, image or script address by its label and its host in words. Findings of other types are
 * left alone; overlapping ones are replaced together.
 */
export function neutralizeLinks(text: string, findings: readonly Finding[]): string {
  const parts: string[] = []
  let copied = 0
  for (const finding of findings.filter(({ type }) => isLinkType(type)).sort(byPosition)) {
    if (finding.end <= copied) continue
    // A link that begins inside the last one lost its beginning with it.
    if (finding.start >= copied)
      parts.push(text.slice(copied, finding.start), plainLink(text.slice(finding.start, finding.end)))
    copied = finding.end
  }
  parts.push(text.slice(copied))
  return parts.join('')
}

const maxShown = 60

/** Replacement of a removed link. */
export function plainLink(link: string): string {
  const label = /^!?\[([^\][<>()]{0,64})\]\(/.exec(link)?.[1]?.trim() ?? ''
  const where = whereTo(link)
  return `${label === '' || /:\/\/|www\./i.test(label) ? '' : `${label} `}${note(where)}`
}

const note = (where: string): string =>
  where === '' ? '\u2039link removed\u203a' : `\u2039link removed: ${where}\u203a`

/** The host with its dots broken, so that no client makes a link of it again. */
function whereTo(link: string): string {
  const target = /(?:[a-z]{2,6}:)?[\\/]{2}[^\s"'<>)]{1,180}|www\.[^\s"'<>)]{1,180}/i.exec(link)?.[0] ?? ''
  const { host } = readAddress(target.startsWith('www.') ? `//${target}` : target)
  const shown = host.replace(/[^a-z0-9.-]/gi, '').slice(0, maxShown)
  return shown.replaceAll('.', '[.]')
}
