import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { type ArchiveFormat, type DocumentFormat, UnpackError, type UnpackErrorKind } from './port.ts'
import { docx, pdf, pptx, tar, xlsx, zip } from './testing/files.ts'
import { unpackEntry } from './thread-entry.ts'
import { createUnpack } from './unpack.ts'

const room = createUnpack({ entry: unpackEntry, clock: systemClock() })
afterAll(() => room.stop())

const piecesOf = async (format: DocumentFormat, bytes: Uint8Array) =>
  (await room.text(format, bytes)).pieces.map(({ position, text }) => [position, text])

/** The name of the error that a file is refused with. */
async function refusal(work: Promise<unknown>): Promise<UnpackErrorKind> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof UnpackError) return error.kind
  throw new Error('No UnpackError was thrown.', { cause: error })
}

describe('text comes with its positions', () => {
  test('of a Word document, with its notes', async () => {
    const notes = [{ name: 'word/footnotes.xml', content: '<w:footnotes><w:p><w:t>a note</w:t></w:p></w:footnotes>' }]
    const file = docx(['First &amp; last', '', 'Third'], { more: notes })
    expect(await piecesOf('docx', file)).toEqual([
      [{ paragraph: 1 }, 'First & last'],
      [{ paragraph: 3 }, 'Third'],
      [{ part: 'footnotes', paragraph: 1 }, 'a note'],
    ])
  })

  test('of a sheet', async () => {
    expect(await piecesOf('xlsx', xlsx({ A1: 'risk', C2: 'owner' }))).toEqual([
      [{ sheet: 'Plan', cell: 'A1' }, 'risk'],
      [{ sheet: 'Plan', cell: 'C2' }, 'owner'],
      [{ sheet: 'Plan', cell: 'Z9' }, '2'],
    ])
  })

  test('of slides in the order they are shown', async () => {
    expect(await piecesOf('pptx', pptx(['one', 'two']))).toEqual([
      [{ slide: 1, paragraph: 1 }, 'one'],
      [{ slide: 2, paragraph: 1 }, 'two'],
    ])
  })

  test('of a PDF by its pages', async () => {
    expect(await piecesOf('pdf', pdf(['Page (one)\nsecond line', 'Page two']))).toEqual([
      [{ page: 1 }, 'Page (one)\nsecond line'],
      [{ page: 2 }, 'Page two'],
    ])
  })

  test('of a page without its scripts', async () => {
    const page =
      '<title>T</title><script>alert(1)</script><h1>Head<b>ing</b></h1><p>a<br>b<div>c</div><template>x</template>'
    expect(await piecesOf('html', Buffer.from(page))).toEqual([
      [{ paragraph: 1 }, 'T'],
      [{ paragraph: 2 }, 'Heading'],
      [{ paragraph: 3 }, 'a\nb'],
      [{ paragraph: 4 }, 'c'],
    ])
  })

  test('of a letter, whose attachments are not opened', async () => {
    const letter = [
      'From: a@example.org\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\nMIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=edge\r\n\r\n--edge\r\nContent-Type: text/plain\r\n\r\nfirst\r\n\r\nsecond\r\n--edge',
      'Content-Type: application/zip\r\nContent-Disposition: attachment; filename="../../a.zip"\r\nContent-Transfer-Encoding: base64\r\n\r\nUEs=\r\n--edge--\r\n',
    ].join('\r\n')
    const { pieces, attachments } = await room.text('eml', Buffer.from(letter))
    expect(pieces.map(({ position, text }) => [position, text])).toEqual([
      [{ part: 'subject' }, 'Grüße'],
      [{ paragraph: 1 }, 'first'],
      [{ paragraph: 2 }, 'second'],
    ])
    expect(
      attachments.map(({ name, mediaType, content }) => [name, mediaType, Buffer.from(content).toString()]),
    ).toEqual([['a.zip', 'application/zip', 'PK']])
  })

  test('of plain text by its paragraphs', async () => {
    expect(await piecesOf('text', Buffer.from('one\r\n\r\n  two \n\n\n'))).toEqual([
      [{ paragraph: 1 }, 'one'],
      [{ paragraph: 2 }, 'two'],
    ])
  })
})

describe('archives', () => {
  const files = [
    { name: 'a.txt', content: 'alpha' },
    { name: 'folder/b.txt', content: 'beta' },
  ]
  test.each<[ArchiveFormat, Buffer]>([
    ['zip', zip([{ name: 'folder/', content: '' }, ...files])],
    ['tar', tar([{ name: 'folder/', content: '', type: '5' }, ...files])],
    ['tar.gz', gzipSync(tar(files))],
  ])('a %s gives its files', async (format, archive) => {
    const entries = await room.entries(format, archive)
    expect(entries.map(({ name, content }) => [name, Buffer.from(content).toString()])).toEqual([
      ['a.txt', 'alpha'],
      ['folder/b.txt', 'beta'],
    ])
  })

  test('names longer than a header are read', async () => {
    const long = `${'d/'.repeat(90)}long.txt`
    const pax = `path=${long}\n`
    const record = `${pax.length + 4} ${pax}`
    for (const header of [
      { name: 'x', content: record, type: 'x' },
      { name: '././@LongLink', content: `${long}\0`, type: 'L' },
    ]) {
      const [entry] = await room.entries('tar', tar([header, { name: 'cut', content: 'here' }]))
      expect([entry?.name, Buffer.from(entry?.content ?? []).toString()]).toEqual([long, 'here'])
    }
  })
})

describe('YAML', () => {
  test('is plain data of the core schema', async () => {
    const text = 'a: 1\nb: [true, null, "x"]\nbase: &b {k: v}\nuse: *b\nday: 2026-01-01\nno: no'
    expect(await room.yaml(Buffer.from(text))).toEqual({
      ...{ a: 1, b: [true, null, 'x'], base: { k: 'v' }, use: { k: 'v' }, day: '2026-01-01', no: 'no' },
    })
  })

  const laughs = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghi'.split('').map((to, n) => {
      const from = 'abcdefgh'[n]
      return `${to}: &${to} [${Array.from({ length: 9 }, () => `*${from}`).join(',')}]`
    }),
  ].join('\n')
  test.each<[string, string, UnpackErrorKind]>([
    ['a billion laughs', laughs, 'entities'],
    ['a tag of a language', 'a: !!js/function "x"', 'entities'],
    ['a tag of its own', 'a: !own x', 'entities'],
    ['deep nesting', '['.repeat(5_000) + ']'.repeat(5_000), 'nested'],
    ['nesting beyond the stack', '['.repeat(400_000), 'nested'],
    ['two members of one name', 'a: 1\na: 2', 'broken'],
    ['a member of the prototype', '__proto__: {a: 1}', 'broken'],
    ['two documents', 'a: 1\n---\nb: 2', 'broken'],
    ['no YAML', 'a: [1', 'broken'],
  ])('C25 with %s is refused', async (_what, text, kind) => {
    expect(await refusal(room.yaml(Buffer.from(text)))).toBe(kind)
  })
})

const bomb = Buffer.alloc(3_000_000)
const lol = '<!DOCTYPE lolz [<!ENTITY l "lol"><!ENTITY m "&l;&l;&l;&l;">]><w:document>&m;</w:document>'
const deep = `${'<w:p>'.repeat(10_000)}${'</w:p>'.repeat(10_000)}`
const document = (content: string) => ({ name: 'word/document.xml', content })
const types = { name: '[Content_Types].xml', content: '<Types/>' }

describe('C25 a hostile file is refused by name', () => {
  test.each<[string, ArchiveFormat, Buffer, UnpackErrorKind]>([
    ['a ZIP bomb', 'zip', zip([{ name: 'a', content: bomb }]), 'ratio'],
    [
      'a bomb of many',
      'zip',
      zip(Array.from({ length: 40 }, (_, n) => ({ name: `${n}`, content: bomb.subarray(0, 99_999) }))),
      'ratio',
    ],
    ['a gzip bomb', 'gzip', gzipSync(bomb), 'ratio'],
    ['a bomb around a tar', 'tar.gz', gzipSync(Buffer.alloc(5_000_000)), 'ratio'],
    [
      'too many entries',
      'zip',
      zip(Array.from({ length: 10_001 }, (_, n) => ({ name: `${n}`, content: '' }))),
      'too_large',
    ],
    ['an encrypted ZIP', 'zip', zip([{ name: 'a', content: 'x', flags: 1 }]), 'encrypted'],
    ['a name above', 'zip', zip([{ name: '../a', content: 'x' }]), 'path'],
    ['a name in the middle above', 'zip', zip([{ name: 'a/../../b', content: 'x' }]), 'path'],
    ['an absolute name', 'zip', zip([{ name: '/etc/passwd', content: 'x' }]), 'path'],
    ['a drive', 'zip', zip([{ name: 'C:/a', content: 'x' }]), 'path'],
    ['backslashes', 'zip', zip([{ name: '..\\a', content: 'x' }]), 'path'],
    ['a link', 'zip', zip([{ name: 'a', content: '/etc/passwd', mode: 0o120777 }]), 'link'],
    ['no ZIP', 'zip', Buffer.from('PK nothing'), 'broken'],
    ['a cut ZIP', 'zip', zip([{ name: 'a', content: 'x' }]).subarray(0, -30), 'broken'],
    ['a name above in a tar', 'tar', tar([{ name: '../a', content: 'x' }]), 'path'],
    ['an absolute name in a tar', 'tar', tar([{ name: '/a', content: 'x' }]), 'path'],
    ['a link in a tar', 'tar', tar([{ name: 'a', content: '', type: '2' }]), 'link'],
    ['a cut tar', 'tar', tar([{ name: 'a', content: 'x'.repeat(2_000) }]).subarray(0, 900), 'broken'],
    ['no tar', 'tar', Buffer.alloc(600, 'x'), 'broken'],
    ['no gzip', 'gzip', Buffer.from('nothing'), 'broken'],
  ])('%s', async (_what, format, bytes, kind) => {
    expect(await refusal(room.entries(format, bytes))).toBe(kind)
  })

  test.each<[string, DocumentFormat, Buffer, UnpackErrorKind]>([
    ['entities', 'docx', zip([types, document(lol)]), 'entities'],
    ['deep elements', 'docx', zip([types, document(deep)]), 'nested'],
    ['macros', 'docx', docx(['x'], { more: [{ name: 'word/vbaProject.bin', content: 'x' }] }), 'macros'],
    [
      'macros by their type',
      'xlsx',
      xlsx(
        {},
        { types: '<Types><Override ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/></Types>' },
      ),
      'macros',
    ],
    ['an encrypted office file', 'docx', Buffer.from('d0cf11e0a1b11ae1000000', 'hex'), 'encrypted'],
    [
      'an encrypted PDF',
      'pdf',
      pdf(
        ['x'],
        `/ID [<00><00>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -44 >>`,
      ),
      'encrypted',
    ],
    ['no office file', 'docx', zip([{ name: 'a', content: 'x' }]), 'broken'],
    ['broken XML', 'docx', zip([types, document('<w:document><w:p>')]), 'broken'],
    ['no PDF', 'pdf', Buffer.from('%PDF-1.4 nothing'), 'broken'],
    ['a page of deep elements', 'html', Buffer.from('<div>'.repeat(20_000)), 'nested'],
    ['no letter', 'eml', Buffer.from(''), 'broken'],
    ['text that is none', 'text', Buffer.from([0xff, 0xfe, 0x00]), 'broken'],
  ])('%s', async (_what, format, bytes, kind) => {
    expect(await refusal(room.text(format, bytes))).toBe(kind)
  })

  test('a file that is too large is not opened', async () => {
    expect(await refusal(room.entries('zip', Buffer.alloc(64 * 1_048_576 + 1)))).toBe('too_large')
  })
})

describe('the room', () => {
  const large = Buffer.from(`<p>${'x'.repeat(3)}</p>`.repeat(400_000))

  test('C27 ends a file that takes too long, and opens the next one', async () => {
    const hasty = createUnpack({ entry: unpackEntry, clock: systemClock(), limitMs: 1 })
    expect(await refusal(hasty.text('html', large))).toBe('timeout')
    await hasty.stop()
    const patient = createUnpack({ entry: unpackEntry, clock: systemClock() })
    expect((await patient.text('text', Buffer.from('next'))).pieces).toHaveLength(1)
    await patient.stop()
  })

  test('C27 survives a file that takes all memory of its thread', async () => {
    const small = createUnpack({ entry: unpackEntry, clock: systemClock(), heapMib: 64, limitMs: 120_000 })
    expect(await refusal(small.text('html', Buffer.from('<p>x</p>'.repeat(3_000_000))))).toBe('memory')
    expect((await small.text('text', Buffer.from('next'))).pieces).toHaveLength(1)
    await small.stop()
  })

  test('refuses at once when too many wait', async () => {
    const narrow = createUnpack({ entry: unpackEntry, clock: systemClock(), queueLimit: 2 })
    const asked = Array.from({ length: 3 }, () => narrow.text('text', Buffer.from('x')))
    const done = await Promise.allSettled(asked)
    expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(done[2]).toMatchObject({ reason: { code: 'API-009' } })
    await narrow.stop()
  })
})
