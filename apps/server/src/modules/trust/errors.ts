import { defineErrors } from '../../kernel/errors/errors.ts'

export const errors = defineErrors('TRUST', {
  historyRange: [6, 422, 'History Range Invalid', (p: { what: string }) => p.what],
})
