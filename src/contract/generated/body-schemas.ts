// Generated from openapi/openapi.yaml by scripts/generate-contract.ts; do not edit.

const $defs = {
  ShippingDetailCreate: {
    type: 'object',
    properties: {
      first_name: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
      },
      last_name: {
        type: 'string',
        minLength: 1,
        maxLength: 255,
      },
      email_address: {
        type: 'string',
        minLength: 1,
        maxLength: 320,
      },
      phone_number: {
        type: 'string',
        minLength: 1,
        maxLength: 50,
        pattern: '^\\+[1-9]\\d{1,14}$',
      },
      address: {
        '$ref': '#/$defs/Address',
      },
    },
  },
  CheckoutSessionUpdate: {
    type: 'object',
    properties: {
      cart_items: {
        type: ['array', 'null'],
        items: {
          '$ref': '#/$defs/CartItem',
        },
      },
      metadata: {
        anyOf: [{
          '$ref': '#/$defs/Metadata',
        }, {
          type: 'null',
        }],
      },
      airline: {
        anyOf: [{
          '$ref': '#/$defs/Airline',
        }, {
          type: 'null',
        }],
      },
    },
  },
  PaymentServiceSessionRequest: {
    type: 'object',
    additionalProperties: true,
  },
  Address: {
    type: 'object',
    properties: {
      city: {
        type: ['string', 'null'],
        'x-left-to-service': {
          maxLength: 100,
        },
      },
      country: {
        type: ['string', 'null'],
        'x-left-to-service': {
          pattern: '^[A-Z]{2}$',
        },
      },
      postal_code: {
        type: ['string', 'null'],
        'x-left-to-service': {
          maxLength: 50,
        },
      },
      state: {
        type: ['string', 'null'],
        'x-left-to-service': {
          maxLength: 255,
        },
      },
      state_code: {
        type: ['string', 'null'],
        'x-left-to-service': {
          pattern: '^[A-Z]{2}-[A-Z0-9]{1,3}$',
        },
      },
      house_number_or_name: {
        type: ['string', 'null'],
        'x-left-to-service': {
          maxLength: 255,
        },
      },
      line1: {
        type: ['string', 'null'],
        'x-left-to-service': {
          maxLength: 255,
        },
      },
      line2: {
        type: ['string', 'null'],
        'x-left-to-service': {
          maxLength: 255,
        },
      },
      organization: {
        type: ['string', 'null'],
        'x-left-to-service': {
          maxLength: 255,
        },
      },
    },
  },
  CartItem: {
    type: 'object',
    properties: {
      name: {
        type: 'string',
      },
      quantity: {
        type: 'integer',
      },
      unit_amount: {
        type: 'integer',
      },
      discount_amount: {
        type: ['integer', 'null'],
      },
      tax_amount: {
        type: ['integer', 'null'],
      },
      external_identifier: {
        type: ['string', 'null'],
      },
      sku: {
        type: ['string', 'null'],
      },
      product_url: {
        type: ['string', 'null'],
      },
      image_url: {
        type: ['string', 'null'],
      },
      categories: {
        type: ['array', 'null'],
        items: {
          type: 'string',
        },
      },
      product_type: {
        type: ['string', 'null'],
      },
      seller_country: {
        type: ['string', 'null'],
      },
    },
  },
  Metadata: {
    type: 'object',
    additionalProperties: true,
  },
  Airline: {
    type: 'object',
    properties: {
      passenger_name_record: {
        type: ['string', 'null'],
      },
      booking_code: {
        type: ['string', 'null'],
      },
      ticket_number: {
        type: ['string', 'null'],
      },
      ticket_delivery_method: {
        type: ['string', 'null'],
      },
      issued_at: {
        type: ['string', 'null'],
        'x-left-to-service': {
          format: 'date-time',
        },
      },
      issued_address: {
        type: ['string', 'null'],
      },
      travel_agency_code: {
        type: ['string', 'null'],
      },
      travel_agency_name: {
        type: ['string', 'null'],
      },
      travel_agency_invoice_number: {
        type: ['string', 'null'],
      },
      travel_agency_plan_name: {
        type: ['string', 'null'],
      },
      restricted_ticket: {
        type: ['boolean', 'null'],
      },
      issuing_carrier_code: {
        type: ['string', 'null'],
      },
      issuing_carrier_name: {
        type: ['string', 'null'],
      },
      issuing_iata_designator: {
        type: ['string', 'null'],
      },
      issuing_icao_code: {
        type: ['string', 'null'],
      },
      reservation_system: {
        type: ['string', 'null'],
      },
      is_cardholder_traveling: {
        type: ['boolean', 'null'],
      },
      passengers: {
        type: ['array', 'null'],
        items: {
          '$ref': '#/$defs/AirlinePassenger',
        },
      },
      legs: {
        type: ['array', 'null'],
        items: {
          '$ref': '#/$defs/AirlineLeg',
        },
      },
    },
  },
  AirlinePassenger: {
    type: 'object',
    properties: {
      title: {
        type: ['string', 'null'],
      },
      first_name: {
        type: ['string', 'null'],
      },
      last_name: {
        type: ['string', 'null'],
      },
      email_address: {
        type: ['string', 'null'],
      },
      phone_number: {
        type: ['string', 'null'],
      },
      passport_number: {
        type: ['string', 'null'],
      },
      ticket_number: {
        type: ['string', 'null'],
      },
      frequent_flyer_number: {
        type: ['string', 'null'],
      },
      date_of_birth: {
        type: ['string', 'null'],
        'x-left-to-service': {
          format: 'date',
        },
      },
      age_group: {
        type: ['string', 'null'],
      },
    },
  },
  AirlineLeg: {
    type: 'object',
    properties: {
      carrier_code: {
        type: ['string', 'null'],
      },
      carrier_name: {
        type: ['string', 'null'],
      },
      iata_designator: {
        type: ['string', 'null'],
      },
      icao_code: {
        type: ['string', 'null'],
      },
      flight_number: {
        type: ['string', 'null'],
      },
      departure_at: {
        type: ['string', 'null'],
        'x-left-to-service': {
          format: 'date-time',
        },
      },
      departure_country: {
        type: ['string', 'null'],
      },
      departure_city: {
        type: ['string', 'null'],
      },
      departure_airport: {
        type: ['string', 'null'],
      },
      arrival_at: {
        type: ['string', 'null'],
        'x-left-to-service': {
          format: 'date-time',
        },
      },
      arrival_country: {
        type: ['string', 'null'],
      },
      arrival_city: {
        type: ['string', 'null'],
      },
      arrival_airport: {
        type: ['string', 'null'],
      },
      fare_basis_code: {
        type: ['string', 'null'],
      },
      flight_class: {
        type: ['string', 'null'],
      },
      stop_over: {
        type: ['boolean', 'null'],
      },
      route_type: {
        type: ['string', 'null'],
      },
      coupon_number: {
        type: ['string', 'null'],
      },
      fare_amount: {
        type: ['integer', 'null'],
      },
      fee_amount: {
        type: ['integer', 'null'],
      },
      tax_amount: {
        type: ['integer', 'null'],
      },
      departure_tax_amount: {
        type: ['integer', 'null'],
      },
      seat_class: {
        type: ['string', 'null'],
      },
    },
  },
};

/**
 * The schema of each request body by its name, as JSON Schema 2020-12 with everything that it refers to below `$defs`. What only
 * the service checks is in `x-left-to-service`: the formats of dates and times, and limits that the description only assumes.
 */
export const bodySchemas = {
  ShippingDetailCreate: { $ref: '#/$defs/ShippingDetailCreate', $defs },
  CheckoutSessionUpdate: { $ref: '#/$defs/CheckoutSessionUpdate', $defs },
  PaymentServiceSessionRequest: { $ref: '#/$defs/PaymentServiceSessionRequest', $defs },
};

/** The name of the schema of a request body. */
export type BodySchemaName = keyof typeof bodySchemas;
