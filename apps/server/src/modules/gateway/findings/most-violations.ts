/** Maximum rows shown for one call; a flood of findings must not flood the log. */
export const mostViolations = 100
