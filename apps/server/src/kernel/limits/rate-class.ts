/**
 * Classes in which requests are counted. `stop` is for stopping and revoking, and for undoing a lockout: it is counted
 * by caller and apart from all else, so that other callers' traffic never keeps an administrator from it.
 */
export type RateClass = 'api' | 'inference' | 'expensive' | 'credential' | 'stop'
