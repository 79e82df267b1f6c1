import type { BodySchema } from './body-schema.ts';

const text = (maxLength: number): BodySchema => ({ maxLength });

/**
 * The limits of an address. The contract shows none; these are those of services of the same family (see "Address
 * limits" in docs/decisions.md), so that scripts meet them before they meet the real ones.
 */
export const addressLimits: BodySchema = {
  properties: {
    city: text(100),
    country: { pattern: '^[A-Z]{2}$' },
    postal_code: text(50),
    state: text(255),
    state_code: { pattern: '^[A-Z]{2}-[A-Z0-9]{1,3}$' },
    house_number_or_name: text(255),
    line1: text(255),
    line2: text(255),
    organization: text(255),
  },
};
