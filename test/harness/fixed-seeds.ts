/**
 * Makes the properties of fast-check try the same values in each run, so that no run fails by chance. With `PAYCTL_LONG_TESTS=1` they
 * try others each time; a property that fails prints its seed.
 */
import { configureGlobal } from 'fast-check';

if (process.env.PAYCTL_LONG_TESTS !== '1') configureGlobal({ seed: 1 });
