export { assertFresh } from '../../kernel/auth/fresh.ts'
