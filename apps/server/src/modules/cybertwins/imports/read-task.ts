import { ProblemError } from '../../../kernel/errors/problem.ts'
import { parseBody } from '../../../kernel/http/body/json-body.ts'
import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
import type { TwinContent } from '../assets/content.ts'
import type { CsvMapping } from '../declared/relation-schema.ts'
import type { ImportFormat } from '../declared/words.ts'
import { readCsv } from './formats/csv.ts'
import { readCycloneDx } from './formats/cyclonedx.ts'
import { readOpenVex } from './formats/openvex.ts'
import { ContentFault } from './formats/read.ts'
import { readStix } from './formats/stix.ts'

export interface FileToRead {
  readonly format: Exclude<ImportFormat, 'platform'>
  readonly text: string
  readonly mapping: CsvMapping
  readonly source: string
}

export interface ReadFault {
  readonly pointer: string
  readonly message: string
}

/** Values of the largest file that is meant to be imported, and some more. */
const maxValues = 2_000_000
const readers = { stix: readStix, cyclonedx: readCycloneDx, openvex: readOpenVex } as const

/** Reads the text of a file, or says where it is not of its format. */
export const readTwinFile: ThreadTask<FileToRead, TwinContent | { readonly fault: ReadFault }> = {
  name: 'cybertwins.read_file',
  run: ({ format, text, mapping, source }) => {
    try {
      return format === 'csv' ? readCsv({ text, mapping, source }) : readers[format](parsed(text))
    } catch (error) {
      if (!(error instanceof ContentFault)) throw error
      return { fault: { pointer: error.pointer, message: error.message } }
    }
  },
}

/** JSON as strictly as a body: its nesting and the number of its values are bounded. */
function parsed(text: string): unknown {
  try {
    return parseBody(Buffer.from(text), { anyText: false, maxValues })
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const [part] = error.parts
    throw new ContentFault(
      `/content${part?.pointer ?? ''}`,
      (part?.detail ?? error.message).replace('The body', 'The content'),
    )
  }
}
