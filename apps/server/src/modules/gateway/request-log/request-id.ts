import Type from 'typebox'

/** A call is addressed by the id of its log row or by the id of its HTTP request. */
export const requestIdParam = {
  request_id: Type.String({ pattern: '^(?:req_)?[0-9a-zA-Z-]{1,64}$', maxLength: 68 }),
}
