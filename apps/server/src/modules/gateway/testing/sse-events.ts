/** The JSON of the data lines of a stream of events, without the mark of its end. */
// biome-ignore lint/suspicious/noExplicitAny: tests read events freely.
export function eventsIn(text: string): any[] {
  return text.split('\n').flatMap((line) => {
    const data = /^data: ?(.*)$/.exec(line)?.[1]
    return data === undefined || data === '[DONE]' ? [] : [JSON.parse(data)]
  })
}
