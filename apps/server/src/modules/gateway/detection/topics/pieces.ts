/** Texts in pieces short enough to be about one thing. Pure. Tested in ../../topics.test.ts. */

/** Sentences are put together up to this many characters; a longer sentence is cut. */
const pieceLength = 400
/** Includes the sentence-ending marks of other scripts. */
const sentences = /[^.!?\n。！？।؟]+[.!?。！？।؟]*\s*/gu

export function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  let open = ''
  for (const [sentence] of text.matchAll(sentences)) {
    if (open !== '' && open.length + sentence.length > pieceLength) {
      pieces.push(open)
      open = ''
    }
    open += sentence
    while (open.length > pieceLength) {
      pieces.push(open.slice(0, pieceLength))
      open = open.slice(pieceLength)
    }
  }
  return [...pieces, open].map((piece) => piece.trim()).filter((piece) => /\p{L}/u.test(piece))
}
