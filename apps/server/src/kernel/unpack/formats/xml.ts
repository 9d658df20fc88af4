import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { broken, mostDepth, nested } from '../limits.ts'
import { UnpackError } from '../port.ts'

export interface XmlHandler {
  /** `name` without its prefix. */
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close(name: string): void
  text(text: string): void
}

/**
 * Walks an XML part of an office file. A document type, with which entities come, is refused, and nothing is fetched.
 * @throws UnpackError `broken`, `entities`, `nested`
 */
export function walkXml(bytes: Uint8Array, handler: XmlHandler): void {
  const parser = new SaxesParser({ xmlns: false, position: false })
  let depth = 0
  parser.on('doctype', () => {
    throw new UnpackError('entities', 'The file has a document type, whose entities are not resolved.')
  })
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    depth += 1
    if (depth > mostDepth) throw nested()
    handler.open(localName(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    depth -= 1
    handler.close(localName(name))
  })
  parser.on('text', (text) => handler.text(text))
  parser.on('cdata', (text) => handler.text(text))
  parser.on('error', (error) => {
    throw broken('A part of the file is not valid XML.', error)
  })
  parser.write(new TextDecoder('utf-8').decode(bytes)).close()
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
