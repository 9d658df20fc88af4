/**
 * The room in which files of strangers are opened: archives, office files, PDF, HTML, e-mail and YAML, and nowhere else.
 * Promises text with its positions, plain data or a named error, within a bound of time, memory, bytes and entries.
 * Nothing in a file is run, fetched or followed, and no archive in an archive is opened. Tested in unpack.test.ts.
 */

export const documentFormats = ['docx', 'xlsx', 'pptx', 'pdf', 'html', 'eml', 'text'] as const
export type DocumentFormat = (typeof documentFormats)[number]

export const archiveFormats = ['zip', 'tar', 'tar.gz', 'gzip'] as const
export type ArchiveFormat = (typeof archiveFormats)[number]

/** Position of a piece of text, counted from 1; a coordinate that the format lacks is absent. */
export interface TextPosition {
  readonly page?: number
  readonly slide?: number
  readonly paragraph?: number
  readonly sheet?: string
  /** As in a formula, for instance `B2`. */
  readonly cell?: string
  /** Of an office file or a letter, for instance `footnotes` or `subject`; missing for its main text. */
  readonly part?: string
}

export interface TextPiece {
  readonly position: TextPosition
  /** Never empty. */
  readonly text: string
}

export interface ArchiveEntry {
  /** A relative path with slashes, without `..`. */
  readonly name: string
  readonly content: Uint8Array
}

export interface DocumentText {
  readonly pieces: readonly TextPiece[]
  /** Of a letter; they are not opened. */
  readonly attachments: readonly Attachment[]
}

export interface Attachment extends ArchiveEntry {
  readonly mediaType: string
}

export interface Unpack {
  /** The text of a document in its order. @throws UnpackError */
  text(format: DocumentFormat, bytes: Uint8Array): Promise<DocumentText>
  /** The files of an archive; `gzip` holds one without a name. @throws UnpackError */
  entries(format: ArchiveFormat, bytes: Uint8Array): Promise<readonly ArchiveEntry[]>
  /** One YAML document (core schema) as plain data. @throws UnpackError */
  yaml(bytes: Uint8Array): Promise<unknown>
}

export type UnpackErrorKind =
  /** It is not what it is said to be, or is damaged. */
  | 'broken'
  | 'encrypted'
  | 'macros'
  /** More bytes, characters, pages or entries than the room takes. */
  | 'too_large'
  /** It unpacks to more than a hundred times its size. */
  | 'ratio'
  | 'nested'
  /** A name that is absolute or leaves its folder. */
  | 'path'
  | 'link'
  /** Entities, aliases or tags that stand for something else. */
  | 'entities'
  | 'memory'
  | 'timeout'

/** The text says to a person what is wrong with the file. */
export class UnpackError extends Error {
  readonly kind: UnpackErrorKind

  constructor(kind: UnpackErrorKind, text: string, cause?: unknown) {
    super(text, { cause })
    this.name = 'UnpackError'
    this.kind = kind
  }
}
