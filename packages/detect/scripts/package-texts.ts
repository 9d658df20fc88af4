/** Texts of published packages: manuals, read-me files and pages out of files as Debian and npm deliver them. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Random } from '../train/rows/random.ts'

export interface PackageTexts {
  /** Name and version of the package. */
  readonly from: string
  readonly texts: readonly string[]
  /** Source files of programs, as they are. */
  readonly code: readonly string[]
}

const free = /^\(?(?:MIT|ISC|BSD|0BSD|Apache|CC0|Unlicense)/

/**
 * The texts of each `.deb` and `.tgz` of a folder in the order of their names. An npm package of another license than
 * MIT, ISC, BSD, Apache, CC0 or the Unlicense is passed over; of a Debian package the caller knows the license.
 */
export function* packageTexts(folder: string): Generator<PackageTexts> {
  for (const file of readdirSync(folder).sort()) {
    if (!/\.(?:deb|tgz)$/.test(file)) continue
    const unpacked = mkdtempSync(path.join(tmpdir(), 'package-'))
    try {
      unpack(path.join(folder, file), unpacked)
      if (file.endsWith('.tgz') && !isFree(unpacked)) continue
      yield { from: file.replace(/(?:_all|_amd64)?\.\w+$/, ''), texts: texts(unpacked), code: code(unpacked) }
    } finally {
      rmSync(unpacked, { recursive: true })
    }
  }
}

function unpack(file: string, folder: string): void {
  if (file.endsWith('.deb')) execFileSync('dpkg-deb', ['-x', file, folder])
  else execFileSync('tar', ['xzf', file, '-C', folder], { stdio: 'ignore' })
}

function isFree(folder: string): boolean {
  const manifest = readdirSync(folder)
    .map((root) => path.join(folder, root, 'package.json'))
    .find((place) => existsSync(place))
  if (manifest === undefined) return false
  const { license } = JSON.parse(readFileSync(manifest, 'utf8')) as { license?: unknown }
  return typeof license === 'string' && free.test(license)
}

function filesOf(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.map((entry) => path.join(entry.parentPath, entry.name)).sort()
}

/** Text files of an unpacked package. */
function texts(folder: string): string[] {
  return filesOf(folder).flatMap((file) => {
    const read = reader(file)
    return read === undefined ? [] : [read(contentOf(file))]
  })
}

// Minified output is no text that a person hands to a model.
const widest = 300

/** Source files of an unpacked package that people can read. */
function code(folder: string): string[] {
  return filesOf(folder)
    .filter((file) => /(?<!\.min)\.(?:[cm]?js|ts|py|rb|go|java|[ch]|sql|ya?ml|toml|css|sh|php)$/.test(file))
    .map(contentOf)
    .filter((content) => content.split('\n').every((line) => line.length < widest))
}

function contentOf(file: string): string {
  const bytes = readFileSync(file)
  return (/\.[dg]z$/.test(file) ? gunzipSync(bytes) : bytes).toString('utf8')
}

function reader(file: string): ((content: string) => string) | undefined {
  if (/copyright|changelog|license|notice|search.?index|genindex/i.test(path.basename(file))) return undefined
  if (/\/(?:da|de|es|fr|ja|ko|pt-br|ru|tr|zh-cn)\//.test(file)) return undefined
  if (/\/man\/man\d\/.*\.gz$/.test(file)) return fromRoff
  if (/\.html?(?:\.en)?(?:\.gz)?$/.test(file)) return fromHtml
  if (/\.(?:md|markdown|rst|txt)(?:\.gz)?$/i.test(file)) return (content) => content
  return /\/(?:jargon|devil)[.\w]*dict[^/]*$/.test(file) ? (content) => content : undefined
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', apos: "'" }

function fromHtml(html: string): string {
  return html
    .replace(/<(script|style|head|nav)\b[\s\S]*?<\/\1>/gi, '')
    .replace(/[ \t]*\n[ \t]*/g, ' ')
    .replace(/<\/?(?:p|div|li|h\d|tr|dt|dd|br|ul|ol|table|pre|section)\b[^>]*>/gi, '\n\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&#x?\w+;/g, ' ')
    .replace(/&(\w+);/g, (all, name: string) => entities[name] ?? all)
}

function fromRoff(roff: string): string {
  return roff
    .split('\n')
    .flatMap((line) => {
      const [, name = '', rest = ''] = /^[.'](\w*)\s*(.*)$/.exec(line) ?? []
      if (!/^[.']/.test(line)) return [line]
      if (/^(?:TH|SH|SS|Sh|Ss)$/.test(name)) return ['', rest.replaceAll('"', ''), '']
      if (/^(?:PP|P|LP|TP|IP|Pp|It)$/.test(name)) return ['', rest]
      return /^(?:B|I|[BIR]{2}|[A-Z][a-z])$/.test(name) ? [rest.replaceAll('"', '')] : []
    })
    .join('\n')
    .replace(/\\f(?:\[.*?\]|\(..|.)/g, '')
    .replace(/\\-/g, '-')
    .replace(/\\\(../g, ' ')
    .replace(/\\[&|^]/g, '')
}

/** `shortest` to `longest` characters of some texts from a random line on, every order of size alike. */
export function excerptOf(
  texts: readonly string[],
  { shortest, longest }: { readonly shortest: number; readonly longest: number },
  random: Random,
): string {
  const size = Math.round(shortest * (longest / shortest) ** random.next())
  let text = random.pick(texts)
  for (let more = 0; text.length < size && more < mostParts; more += 1) text += `\n\n${random.pick(texts)}`
  const start = text.indexOf('\n', random.below(Math.max(1, text.length - size))) + 1
  return text.slice(start, start + size)
}

const mostParts = 400
