/**
 * Reads tar archives: ustar, pax and GNU long names. Ours, because what the registry has either brings native code for
 * another runtime (tar-stream) or checks neither sums nor names (nanotar).
 */
import { type Budget, broken } from '../limits.ts'
import { type ArchiveEntry, UnpackError } from '../port.ts'

const block = 512
const longestName = 4_096

/** @throws UnpackError */
export function readTar(bytes: Uint8Array, budget: Budget): readonly ArchiveEntry[] {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found: ArchiveEntry[] = []
  let longName: string | null = null
  for (let at = 0; at + block <= archive.length; ) {
    const header = archive.subarray(at, at + block)
    if (header.every((byte) => byte === 0)) return found
    const { name, type, size } = headerOf(header)
    const content = archive.subarray(at + block, at + block + size)
    if (content.length < size) throw broken('The tar archive ends in the middle.')
    at += block + Math.ceil(size / block) * block
    budget.entry()
    if (type === 'L' || type === 'x') longName = type === 'L' ? textOf(content) : (paxPath(content) ?? longName)
    else if (type !== 'g') {
      const entry = fileOf({ name: longName ?? name, type, content })
      if (entry !== null) budget.unpack(entry.content.byteLength)
      if (entry !== null) found.push(entry)
      longName = null
    }
  }
  if (found.length === 0) throw broken('The file is not a tar archive.')
  return found
}

interface Header {
  readonly name: string
  readonly type: string
  readonly size: number
}

function headerOf(header: Buffer): Header {
  let sum = 0
  // The sum counts its own field as spaces.
  header.forEach((byte, at) => {
    sum += at >= 148 && at < 156 ? 32 : byte
  })
  if (octal(header, 148, 8) !== sum) throw broken('The file is not a tar archive, or is damaged.')
  const isUstar = header.toString('latin1', 257, 262) === 'ustar'
  const prefix = isUstar ? textOf(header.subarray(345, 500)) : ''
  const name = textOf(header.subarray(0, 100))
  const type = String.fromCharCode(header[156] ?? 0)
  return { name: prefix === '' ? name : `${prefix}/${name}`, type, size: octal(header, 124, 12) }
}

function octal(header: Buffer, at: number, length: number): number {
  const text = textOf(header.subarray(at, at + length)).trim()
  if (!/^[0-7]{0,11}$/.test(text)) throw broken('The tar archive has a number that cannot be read.')
  return text === '' ? 0 : Number.parseInt(text, 8)
}

/** Records are `<length> <key>=<value>\n`. */
function paxPath(content: Buffer): string | null {
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at)
    const length = Number(content.toString('latin1', at, space))
    if (space === -1 || !Number.isSafeInteger(length) || length < 4)
      throw broken('The tar archive has a broken header.')
    const record = content.toString('utf8', space + 1, at + length - 1)
    if (record.startsWith('path=')) return record.slice('path='.length)
    at += length
  }
  return null
}

function fileOf({ name, type, content }: { name: string; type: string; content: Buffer }): ArchiveEntry | null {
  if (type === '1' || type === '2') throw new UnpackError('link', 'The archive holds a link, which is not followed.')
  if (name.length > longestName || /^(?:\/|[A-Za-z]:)|\\|(?:^|\/)\.\.(?:\/|$)|\0/.test(name))
    throw new UnpackError('path', 'The archive holds a name that leaves its folder.')
  const isFile = type === '0' || type === '\0' || type === '7'
  return isFile && !name.endsWith('/') ? { name: name.replace(/^(?:\.\/)+/, ''), content: Buffer.from(content) } : null
}

function textOf(field: Buffer): string {
  const end = field.indexOf(0)
  return field.toString('utf8', 0, end === -1 ? field.length : end)
}
