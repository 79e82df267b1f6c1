import { expect, test } from 'vitest';
import document from '../../src/contract/generated/description.json' with { type: 'json' };

const schemas: Record<string, { type: unknown; properties?: Record<string, unknown> }> =
  document.components.schemas;

/** The fields of every resource and part of one, as the specification's chapter on resources lists them. */
const FIELDS: Record<string, string> = {
  BuyerPage: 'items limit next_cursor previous_cursor',
  PaymentMethodPage: 'items limit next_cursor previous_cursor',
  AuditLogPage: 'items limit next_cursor previous_cursor',
  RolePage: 'items limit next_cursor previous_cursor',
  WebhookSubscriptionPage: 'items limit next_cursor previous_cursor',
  GiftCardList: 'items',
  DigitalWalletList: 'items',
  // Cursors are the project's decision: they are there where one response does not hold all logs.
  ApiLogList: 'items limit next_cursor previous_cursor',
  ErrorObject: 'type code status message details resource_id',
  ErrorDetail: 'type pointer message location',
  ValidationErrorBody: 'detail',
  ValidationErrorItem: 'loc msg type input ctx',
  ShippingDetail: 'type id buyer_id first_name last_name email_address phone_number address',
  ShippingDetailCreate: 'first_name last_name email_address phone_number address',
  Address: 'city country postal_code state state_code house_number_or_name line1 line2 organization',
  CheckoutSession: 'type id expires_at cart_items metadata airline payment_method',
  CheckoutSessionUpdate: 'cart_items metadata airline',
  CartItem: `name quantity unit_amount discount_amount tax_amount external_identifier sku product_url image_url
    categories product_type seller_country`,
  Airline: `passenger_name_record booking_code ticket_number ticket_delivery_method issued_at issued_address
    travel_agency_code travel_agency_name travel_agency_invoice_number travel_agency_plan_name restricted_ticket
    issuing_carrier_code issuing_carrier_name issuing_iata_designator issuing_icao_code reservation_system
    is_cardholder_traveling passengers legs`,
  AirlinePassenger: `title first_name last_name email_address phone_number passport_number ticket_number
    frequent_flyer_number date_of_birth age_group`,
  AirlineLeg: `carrier_code carrier_name iata_designator icao_code flight_number departure_at departure_country
    departure_city departure_airport arrival_at arrival_country arrival_city arrival_airport fare_basis_code
    flight_class stop_over route_type coupon_number fare_amount fee_amount tax_amount departure_tax_amount
    seat_class`,
  CheckoutSessionPaymentMethod: 'type id method scheme label details fingerprint',
  CheckoutSessionPaymentMethodDetails: 'bin card_type card_country card_issuer_name',
  PaymentServiceSession: 'status type code status_code response_body',
  PaymentMethod: `method id merchant_account_id cit_usage_count has_replacement usage_count scheme_transaction_id
    scheme_transaction_id_scheme status created_at updated_at type approval_url country currency details
    expiration_date fingerprint label last_replaced_at mode scheme additional_schemes cit_last_used_at last_used_at
    transaction_link_id buyer external_identifier`,
  PaymentMethodDetails: 'bin card_type card_issuer_name',
  Buyer: `id reconciliation_id merchant_account_id created_at updated_at type display_name external_identifier
    billing_details account_number`,
  BillingDetails: 'first_name last_name email_address phone_number address tax_id',
  TaxId: 'value kind',
  AuditLog: 'type id merchant_account_id timestamp action resource user',
  AuditLogResource: 'type id name',
  AuditLogUser: 'type id name is_staff status email_address',
  Role: `type id name slug description permissions assignable_to applies_to is_standalone_assignable`,
  RolePermissions: 'allow',
  GiftCard: `type id merchant_account_id bin sub_bin last4 expiration_date balance currency balance_error_code
    balance_raw_error_code balance_raw_error_message`,
  DigitalWallet: `type id merchant_account_id provider merchant_name domain_names created_at updated_at
    merchant_display_name merchant_url merchant_country_code merchant_category_code address extra_configuration
    active_certificate_count pending_certificate_count expired_certificate_count fields`,
  DigitalWalletAddress: 'line1 line2 city state_code postal_code',
  DigitalWalletExtraConfiguration: 'network_mid_list network_name_list',
  NetworkMerchantId: 'mid scheme',
  NetworkAuthenticationName: 'expected_auth_name scheme',
  DigitalWalletFields: 'digital_payment_application_id digital_payment_application_name',
  ApiLog: `type id request_method request_url request_received_at response_status_code response_body
    response_sent_at`,
  WebhookSubscription: 'type id active url rotating merchant_account_id authentication secret creator',
  WebhookAuthentication: 'kind username password',
  WebhookCreator: 'id name email_address',
};

test.each(Object.entries(FIELDS))('%s has the fields of the specification and no others', (name, fields) => {
  expect(Object.keys(schemas[name]?.properties ?? {}).sort()).toEqual(fields.split(/\s+/).sort());
});
