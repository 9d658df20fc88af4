const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether a text is a UUID as we write it (RFC 9562), in small letters: no other text is the id of a row. */
export const isUuid = (text: string): boolean => form.test(text)
