import { ProblemError } from '../../../kernel/errors/problem.ts'
import { parseBody } from '../../../kernel/http/body/json-body.ts'
import type { ThreadTask } from '../../../kernel/threads/thread-task.ts'
import { readAtlas } from './formats/atlas.ts'
import { readCustom } from './formats/custom.ts'
import { type Content, ImportFault } from './formats/read.ts'
import { readStix } from './formats/stix.ts'
import { readCves, readEpss, readKev } from './formats/vulnerabilities.ts'
import type { ImportFormat } from './library/schema.ts'

export interface FileToRead {
  readonly format: ImportFormat
  readonly text: string
}

export interface ReadFault {
  readonly kind: 'content' | 'vector'
  readonly pointer: string
  readonly message: string
}

/** Values of the largest bundle that is meant to be imported, and some more. */
const maxValues = 2_000_000

const readers = { stix: readStix, atlas: readAtlas, cve: readCves, kev_json: readKev, custom: readCustom } as const

/** Reads the text of a file, or says where it is not of its format. */
export const readThreats: ThreadTask<FileToRead, Content | { readonly fault: ReadFault }> = {
  name: 'risk.read_threats',
  run: ({ format, text }) => {
    try {
      return format === 'epss_csv' ? readEpss(text) : readers[format](parsed(text))
    } catch (error) {
      if (!(error instanceof ImportFault)) throw error
      return { fault: { kind: error.kind, pointer: error.pointer, message: error.message } }
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
    throw new ImportFault(
      `/content${part?.pointer ?? ''}`,
      (part?.detail ?? error.message).replace('The body', 'The content'),
    )
  }
}
