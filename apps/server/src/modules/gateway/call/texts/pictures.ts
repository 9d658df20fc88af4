/**
 * Pictures inside vendor-specific content, such as the screenshots of an agent: their data is not text, and would count
 * for a hundred times its cost. Only members that hold nothing else are treated as pictures. Tested in bounds.test.ts.
 */
const pictureNames: ReadonlySet<string> = new Set(['image_url', 'url'])
const pictureStart = /^data:image\/[\w.+-]+;base64,/i
const onlyData = /^[A-Za-z0-9+/=_-]*$/

/** Judged by its beginning: the rest is long, and any recipient reads a picture as a picture. */
export const isPicture = (url: string): boolean => pictureStart.test(url)

const isOnlyPicture = (url: string): boolean => isPicture(url) && onlyData.test(url.slice(url.indexOf(',') + 1))

export interface Pictured {
  /** The value as JSON without the data of its pictures. */
  readonly text: string
  readonly pictures: number
}

export function jsonWithoutPictures(value: unknown): Pictured {
  let pictures = 0
  const text = JSON.stringify(value, (name, member: unknown) => {
    if (typeof member !== 'string' || !pictureNames.has(name) || !isOnlyPicture(member)) return member
    pictures += 1
    return ''
  })
  return { text: text ?? '', pictures }
}
