/** Kinds of files that sources take, by their names. Their content is checked when they are opened. */
import type { DocumentFormat } from '../../../kernel/unpack/port.ts'

export interface FileType {
  readonly mediaType: string
  readonly format: DocumentFormat
  readonly markdown: boolean
}

const plain = (mediaType: string, markdown = false): FileType => ({ mediaType, format: 'text', markdown })
const opened = (mediaType: string, format: DocumentFormat): FileType => ({ mediaType, format, markdown: false })
const office = 'application/vnd.openxmlformats-officedocument'

const byExtension: Readonly<Record<string, FileType>> = {
  txt: plain('text/plain'),
  md: plain('text/markdown', true),
  csv: plain('text/csv'),
  json: plain('application/json'),
  html: opened('text/html', 'html'),
  htm: opened('text/html', 'html'),
  pdf: opened('application/pdf', 'pdf'),
  docx: opened(`${office}.wordprocessingml.document`, 'docx'),
  xlsx: opened(`${office}.spreadsheetml.sheet`, 'xlsx'),
  pptx: opened(`${office}.presentationml.presentation`, 'pptx'),
  eml: opened('message/rfc822', 'eml'),
}

export const extensions: readonly string[] = Object.keys(byExtension)

const byMediaType = new Map(Object.values(byExtension).map((type) => [type.mediaType, type]))

/** Null for names of other kinds. */
export function typeOfName(name: string): FileType | null {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(byExtension, extension) ? (byExtension[extension] ?? null) : null
}

/** By a Content-Type header or a stored media type. Null for others. */
export function typeOfMedia(mediaType: string): FileType | null {
  return byMediaType.get(mediaType.split(';')[0]?.trim().toLowerCase() ?? '') ?? null
}
