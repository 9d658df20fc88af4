const question =
  'Please sum up the notes of our meeting in three sentences: the team agreed on the new plan, the budget stays as it is, and the first release is due in spring. '
const prompt = question.repeat(3).slice(0, 420)
let salt = 0

/** A chat request of about 0.5 kB, and never the same text twice, so that no cache answers. */
export const chatBody = (model, stream) => {
  salt += 1
  return JSON.stringify({ model, stream, messages: [{ role: 'user', content: `Note ${salt}. ${prompt}` }] })
}
