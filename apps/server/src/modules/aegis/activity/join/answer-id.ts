/** Answer ids in a vendor's form that the gateway makes of its log entry's id when the provider gives none. */
const ofLogEntry = /^(?:chatcmpl-|resp_|msg_)([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/

/** The id of a model call by the id of its answer: the log entry's where the id is made of it. */
export function callIdOf(answerId: string): string {
  const [, ...parts] = ofLogEntry.exec(answerId) ?? []
  return parts.length === 0 ? answerId.slice(0, 128) : parts.join('-')
}
