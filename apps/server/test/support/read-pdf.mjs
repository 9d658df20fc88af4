// Reads a PDF from standard input with pdf.js, and writes its text, outline and structure as JSON.
import { buffer } from 'node:stream/consumers'
import { getDocumentProxy } from 'unpdf'

const pdf = await getDocumentProxy(new Uint8Array(await buffer(process.stdin)))
const texts = []
const trees = []
for (let number = 1; number <= pdf.numPages; number += 1) {
  const page = await pdf.getPage(number)
  const { items } = await page.getTextContent()
  texts.push(items.map((item) => item.str ?? '').join(' '))
  const tree = await page.getStructTree()
  if (tree !== null) trees.push(tree)
}
const { info } = await pdf.getMetadata()
const [outline, marked] = [await pdf.getOutline(), await pdf.getMarkInfo()]
const text = texts.join(' ').replaceAll(/\s+/g, ' ')
process.stdout.write(
  JSON.stringify({
    ...{ info, marked, pages: pdf.numPages, text, trees },
    outline: (outline ?? []).map(({ title, items }) => ({ title, items: items.map((item) => item.title) })),
  }),
)
