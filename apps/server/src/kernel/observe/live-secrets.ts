/**
 * The secrets that this process has opened, so that none of them gets into a log line or a stored text, in whatever
 * words it is repeated: nothing else finds a secret without a vendor's form. A secret never opened here cannot leave
 * from here. Promises that a tenant's texts are compared with its own secrets alone, or it could try out guesses at those
 * of others; and that a line says whose secret it held, because a word that a tenant calls its secret must not vanish from
 * the operator's log untold. Tested in live-secrets.test.ts.
 */
import { isSecretName } from './redact.ts'

export interface LiveSecret {
  /** Id of its tenant; null for the operator's own. */
  readonly owner: string | null
  /** Its replacement in a log line; no secret itself. */
  readonly name: string
  readonly value: string
}

export interface LiveSecrets {
  /** To be told at every opening: those that were told last are kept. */
  add(secret: LiveSecret): void
  /** A serialized log line without any secret. */
  hideInLine(line: string): string
  /** JSON of a tenant without the secrets of that tenant. */
  hideInJson(json: string, owner: string): string
}

/** Shorter ones are in too many texts. */
const shortest = 8
export const hidden = '[secret]'
/** Of all tenants together. */
const mostKept = 50_000

interface Piece {
  /** As it stands in JSON. */
  readonly text: string
  readonly name: string
}

/** By their first characters, so that the time for a line does not grow with the number of secrets. */
type Pieces = Map<string, readonly Piece[]>

/** One for the whole process; its contents end with it. */
export function createLiveSecrets(): LiveSecrets {
  const kept = new Map<string, { readonly owner: string; readonly pieces: readonly Piece[] }>()
  const byOwner = new Map<string, Pieces>()
  const inLines: Pieces = new Map()

  const forgetOldest = (): void => {
    const [oldest] = kept
    if (oldest === undefined) return
    const [key, { owner, pieces }] = oldest
    kept.delete(key)
    for (const piece of pieces) for (const among of [inLines, byOwner.get(owner)]) take(among, piece)
    if (byOwner.get(owner)?.size === 0) byOwner.delete(owner)
  }
  return {
    add: ({ owner: tenant, name, value }) => {
      const owner = tenant ?? ''
      const key = `${owner} ${value}`
      const known = kept.get(key)
      if (known !== undefined) {
        kept.delete(key)
        kept.set(key, known)
        return
      }
      const pieces = tellingPieces(value).map((text) => ({ text, name }))
      const own = byOwner.get(owner) ?? new Map()
      for (const piece of pieces) for (const among of [own, inLines]) put(among, piece)
      byOwner.set(owner, own)
      kept.set(key, { owner, pieces })
      if (kept.size > mostKept) forgetOldest()
    },
    hideInLine: (line) => replaced(line, inLines, ({ name }) => `[secret ${name}]`),
    hideInJson: (json, owner) => {
      const own = byOwner.get(owner)
      return own === undefined ? json : hiddenIn(json, own)
    },
  }
}

/** Removes one secret from JSON, for callers that hold the value and know no owner. */
export function withoutSecret(value: string): (json: string) => string {
  const pieces: Pieces = new Map()
  for (const text of tellingPieces(value)) put(pieces, { text, name: '' })
  return (json) => hiddenIn(json, pieces)
}

/** Looked for one by one first, which is quicker where they are few and hardly ever there. */
function hiddenIn(json: string, pieces: Pieces): string {
  for (const together of pieces.values())
    if (together.some(({ text }) => json.includes(text))) return replaced(json, pieces, () => hidden)
  return json
}

function put(pieces: Pieces, piece: Piece): void {
  const beginning = piece.text.slice(0, shortest)
  // One that is the beginning of another comes after it.
  const together = [...(pieces.get(beginning) ?? []), piece].sort((a, b) => b.text.length - a.text.length)
  pieces.set(beginning, together)
}

function take(pieces: Pieces | undefined, piece: Piece): void {
  const beginning = piece.text.slice(0, shortest)
  const left = pieces?.get(beginning)?.filter((one) => one !== piece) ?? []
  if (left.length === 0) pieces?.delete(beginning)
  else pieces?.set(beginning, left)
}

function replaced(json: string, pieces: Pieces, words: (piece: Piece) => string): string {
  if (pieces.size === 0) return json
  let left = ''
  let from = 0
  for (let at = 0; at + shortest <= json.length; at += 1) {
    const found = pieces.get(json.slice(at, at + shortest))?.find(({ text }) => json.startsWith(text, at))
    if (found === undefined || isInEscape(json, at)) continue
    left += json.slice(from, at) + words(found)
    from = at + found.text.length
    at = from - 1
  }
  return left + json.slice(from)
}

/** Whether the place is inside a JSON escape, after its first character: a match there is not of the real text. */
function isInEscape(json: string, at: number): boolean {
  const slash = json.lastIndexOf('\\', at - 1)
  if (at === 0 || slash < at - 5) return false
  let first = slash
  while (json[first - 1] === '\\') first -= 1
  const begins = (slash - first) % 2 === 0
  return begins && at < slash + (json[slash + 1] === 'u' ? 6 : 2)
}

/**
 * Parts that give a key away, the whole first: some are an id and a secret, some a file in which one member is secret.
 * Pieces that are in too many texts are left out.
 */
export function piecesOf(value: string): readonly string[] {
  const pieces = membersOf(value) ?? [value, ...value.split(/[:\s]/)]
  return [...new Set(pieces)].filter((piece) => piece.length >= shortest)
}

function membersOf(value: string): readonly string[] | null {
  if (!value.trimStart().startsWith('{')) return null
  try {
    const members = Object.entries<unknown>(JSON.parse(value))
    return members.flatMap(([name, member]) => (typeof member === 'string' && isSecretName(name) ? [member] : []))
  } catch {
    return null
  }
}

/**
 * Those that are no words, as they stand in JSON. Servers without keys are given some word for one, which answers may
 * hold as well; and a log has to keep its own words: its operator looks for them.
 */
function tellingPieces(value: string): readonly string[] {
  return piecesOf(value)
    .filter((piece) => !isWords(piece))
    .map((piece) => JSON.stringify(piece).slice(1, -1))
}

function isWords(piece: string): boolean {
  return piece.split(/[^A-Za-z0-9]+/).every((part) => /^(?:[A-Za-z]?[a-z]*|[A-Z]*|\d{1,4})$/.test(part))
}
