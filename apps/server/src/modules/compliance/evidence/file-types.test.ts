import { expect, test } from 'vitest'
import { fileTypeOf } from './file-types.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')

test.each<[string, string, string]>([
  ['a.pdf', '%PDF-1.7\n', 'application/pdf'],
  ['a.png', '\x89PNG\r\n\x1a\n', 'image/png'],
  ['a.JPG', '\xff\xd8\xff\xe0', 'image/jpeg'],
  ['a.docx', 'PK\x03\x04', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['a.txt', 'plain words', 'text/plain'],
  ['a.csv', 'a,b', 'text/csv'],
])('%s with its content is %s', (name, content, mediaType) => {
  expect(fileTypeOf(name, bytes(content))).toMatchObject({ mediaType })
})

test.each<[string, string, string]>([
  ['an ELF that is called PDF', 'a.pdf', '\x7fELF\x02'],
  ['a PDF that is called text', 'a.txt', '%PDF-1.7'],
  ['a program', 'a.exe', 'MZ'],
  ['SVG', 'a.svg', '<svg/>'],
  ['SVG that is called XML', 'a.xml', '<?xml version="1.0"?><svg onload="x"/>'],
  ['HTML that is called text', 'a.txt', '<!DOCTYPE html><p>'],
  ['a PDF that is a page too', 'a.pdf', '%PDF-1.7\n<script>alert(1)</script>'],
  ['nothing', 'a.txt', ''],
  ['text with NUL', 'a.txt', 'a\0b'],
  ['a name without an ending', 'evidence', 'words'],
])('%s is refused', (_what, name, content) => {
  expect(typeof fileTypeOf(name, bytes(content))).toBe('string')
})
