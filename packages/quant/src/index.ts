export { exp, log } from './numeric/exp-log.ts'
