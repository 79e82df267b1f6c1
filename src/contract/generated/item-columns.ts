// Generated from openapi/openapi.yaml by scripts/generate-contract.ts; do not edit.

/** The columns of the items of each list in a copy. */
export const itemColumns = {
  "listApiLogs": [
    {
      "name": "id",
      "type": "text"
    },
    {
      "name": "type",
      "type": "text"
    },
    {
      "name": "request_method",
      "type": "text"
    },
    {
      "name": "request_url",
      "type": "text"
    },
    {
      "name": "request_received_at",
      "type": "timestamp"
    },
    {
      "name": "response_status_code",
      "type": "int64"
    },
    {
      "name": "response_body",
      "type": "json"
    },
    {
      "name": "response_sent_at",
      "type": "timestamp"
    }
  ],
  "listAuditLogs": [
    {
      "name": "id",
      "type": "text"
    },
    {
      "name": "type",
      "type": "text"
    },
    {
      "name": "merchant_account_id",
      "type": "text"
    },
    {
      "name": "timestamp",
      "type": "timestamp"
    },
    {
      "name": "action",
      "type": "text"
    },
    {
      "name": "resource",
      "type": {
        "struct": [
          {
            "name": "type",
            "type": "text"
          },
          {
            "name": "id",
            "type": "text"
          },
          {
            "name": "name",
            "type": "text"
          }
        ]
      }
    },
    {
      "name": "user",
      "type": {
        "struct": [
          {
            "name": "type",
            "type": "text"
          },
          {
            "name": "id",
            "type": "text"
          },
          {
            "name": "name",
            "type": "text"
          },
          {
            "name": "is_staff",
            "type": "boolean"
          },
          {
            "name": "status",
            "type": "text"
          },
          {
            "name": "email_address",
            "type": "text"
          }
        ]
      }
    }
  ],
  "listBuyers": [
    {
      "name": "id",
      "type": "text"
    },
    {
      "name": "type",
      "type": "text"
    },
    {
      "name": "reconciliation_id",
      "type": "text"
    },
    {
      "name": "merchant_account_id",
      "type": "text"
    },
    {
      "name": "created_at",
      "type": "timestamp"
    },
    {
      "name": "updated_at",
      "type": "timestamp"
    },
    {
      "name": "display_name",
      "type": "text"
    },
    {
      "name": "external_identifier",
      "type": "text"
    },
    {
      "name": "billing_details",
      "type": {
        "struct": [
          {
            "name": "first_name",
            "type": "text"
          },
          {
            "name": "last_name",
            "type": "text"
          },
          {
            "name": "email_address",
            "type": "text"
          },
          {
            "name": "phone_number",
            "type": "text"
          },
          {
            "name": "address",
            "type": {
              "struct": [
                {
                  "name": "city",
                  "type": "text"
                },
                {
                  "name": "country",
                  "type": "text"
                },
                {
                  "name": "postal_code",
                  "type": "text"
                },
                {
                  "name": "state",
                  "type": "text"
                },
                {
                  "name": "state_code",
                  "type": "text"
                },
                {
                  "name": "house_number_or_name",
                  "type": "text"
                },
                {
                  "name": "line1",
                  "type": "text"
                },
                {
                  "name": "line2",
                  "type": "text"
                },
                {
                  "name": "organization",
                  "type": "text"
                }
              ]
            }
          },
          {
            "name": "tax_id",
            "type": {
              "struct": [
                {
                  "name": "value",
                  "type": "text"
                },
                {
                  "name": "kind",
                  "type": "text"
                }
              ]
            }
          }
        ]
      }
    },
    {
      "name": "account_number",
      "type": "text"
    }
  ],
  "listGiftCards": [
    {
      "name": "id",
      "type": "text"
    },
    {
      "name": "type",
      "type": "text"
    },
    {
      "name": "merchant_account_id",
      "type": "text"
    },
    {
      "name": "bin",
      "type": "text"
    },
    {
      "name": "sub_bin",
      "type": "text"
    },
    {
      "name": "last4",
      "type": "text"
    },
    {
      "name": "expiration_date",
      "type": "timestamp"
    },
    {
      "name": "balance",
      "type": "int64"
    },
    {
      "name": "currency",
      "type": "text"
    },
    {
      "name": "balance_error_code",
      "type": "text"
    },
    {
      "name": "balance_raw_error_code",
      "type": "text"
    },
    {
      "name": "balance_raw_error_message",
      "type": "text"
    }
  ],
  "listDigitalWallets": [
    {
      "name": "id",
      "type": "text"
    },
    {
      "name": "type",
      "type": "text"
    },
    {
      "name": "merchant_account_id",
      "type": "text"
    },
    {
      "name": "provider",
      "type": "text"
    },
    {
      "name": "merchant_name",
      "type": "text"
    },
    {
      "name": "merchant_display_name",
      "type": "text"
    },
    {
      "name": "merchant_url",
      "type": "text"
    },
    {
      "name": "merchant_country_code",
      "type": "text"
    },
    {
      "name": "merchant_category_code",
      "type": "text"
    },
    {
      "name": "domain_names",
      "type": {
        "list": "text"
      }
    },
    {
      "name": "address",
      "type": {
        "struct": [
          {
            "name": "line1",
            "type": "text"
          },
          {
            "name": "line2",
            "type": "text"
          },
          {
            "name": "city",
            "type": "text"
          },
          {
            "name": "state_code",
            "type": "text"
          },
          {
            "name": "postal_code",
            "type": "text"
          }
        ]
      }
    },
    {
      "name": "extra_configuration",
      "type": {
        "struct": [
          {
            "name": "network_mid_list",
            "type": {
              "list": {
                "struct": [
                  {
                    "name": "mid",
                    "type": "text"
                  },
                  {
                    "name": "scheme",
                    "type": "text"
                  }
                ]
              }
            }
          },
          {
            "name": "network_name_list",
            "type": {
              "list": {
                "struct": [
                  {
                    "name": "expected_auth_name",
                    "type": "text"
                  },
                  {
                    "name": "scheme",
                    "type": "text"
                  }
                ]
              }
            }
          }
        ]
      }
    },
    {
      "name": "fields",
      "type": {
        "struct": [
          {
            "name": "digital_payment_application_id",
            "type": "text"
          },
          {
            "name": "digital_payment_application_name",
            "type": "text"
          }
        ]
      }
    },
    {
      "name": "active_certificate_count",
      "type": "int64"
    },
    {
      "name": "pending_certificate_count",
      "type": "int64"
    },
    {
      "name": "expired_certificate_count",
      "type": "int64"
    },
    {
      "name": "created_at",
      "type": "timestamp"
    },
    {
      "name": "updated_at",
      "type": "timestamp"
    }
  ],
  "listPaymentMethods": [
    {
      "name": "id",
      "type": "text"
    },
    {
      "name": "type",
      "type": "text"
    },
    {
      "name": "method",
      "type": "text"
    },
    {
      "name": "merchant_account_id",
      "type": "text"
    },
    {
      "name": "status",
      "type": "text"
    },
    {
      "name": "mode",
      "type": "text"
    },
    {
      "name": "scheme",
      "type": "text"
    },
    {
      "name": "additional_schemes",
      "type": {
        "list": "text"
      }
    },
    {
      "name": "label",
      "type": "text"
    },
    {
      "name": "country",
      "type": "text"
    },
    {
      "name": "currency",
      "type": "text"
    },
    {
      "name": "details",
      "type": {
        "struct": [
          {
            "name": "bin",
            "type": "text"
          },
          {
            "name": "card_type",
            "type": "text"
          },
          {
            "name": "card_issuer_name",
            "type": "text"
          }
        ]
      }
    },
    {
      "name": "expiration_date",
      "type": "text"
    },
    {
      "name": "fingerprint",
      "type": "text"
    },
    {
      "name": "approval_url",
      "type": "text"
    },
    {
      "name": "buyer",
      "type": {
        "struct": [
          {
            "name": "type",
            "type": "text"
          },
          {
            "name": "id",
            "type": "text"
          },
          {
            "name": "reconciliation_id",
            "type": "text"
          },
          {
            "name": "merchant_account_id",
            "type": "text"
          },
          {
            "name": "created_at",
            "type": "timestamp"
          },
          {
            "name": "updated_at",
            "type": "timestamp"
          },
          {
            "name": "display_name",
            "type": "text"
          },
          {
            "name": "external_identifier",
            "type": "text"
          },
          {
            "name": "billing_details",
            "type": {
              "struct": [
                {
                  "name": "first_name",
                  "type": "text"
                },
                {
                  "name": "last_name",
                  "type": "text"
                },
                {
                  "name": "email_address",
                  "type": "text"
                },
                {
                  "name": "phone_number",
                  "type": "text"
                },
                {
                  "name": "address",
                  "type": {
                    "struct": [
                      {
                        "name": "city",
                        "type": "text"
                      },
                      {
                        "name": "country",
                        "type": "text"
                      },
                      {
                        "name": "postal_code",
                        "type": "text"
                      },
                      {
                        "name": "state",
                        "type": "text"
                      },
                      {
                        "name": "state_code",
                        "type": "text"
                      },
                      {
                        "name": "house_number_or_name",
                        "type": "text"
                      },
                      {
                        "name": "line1",
                        "type": "text"
                      },
                      {
                        "name": "line2",
                        "type": "text"
                      },
                      {
                        "name": "organization",
                        "type": "text"
                      }
                    ]
                  }
                },
                {
                  "name": "tax_id",
                  "type": {
                    "struct": [
                      {
                        "name": "value",
                        "type": "text"
                      },
                      {
                        "name": "kind",
                        "type": "text"
                      }
                    ]
                  }
                }
              ]
            }
          },
          {
            "name": "account_number",
            "type": "text"
          }
        ]
      }
    },
    {
      "name": "external_identifier",
      "type": "text"
    },
    {
      "name": "scheme_transaction_id",
      "type": "text"
    },
    {
      "name": "scheme_transaction_id_scheme",
      "type": "text"
    },
    {
      "name": "transaction_link_id",
      "type": "text"
    },
    {
      "name": "has_replacement",
      "type": "boolean"
    },
    {
      "name": "last_replaced_at",
      "type": "timestamp"
    },
    {
      "name": "usage_count",
      "type": "int64"
    },
    {
      "name": "last_used_at",
      "type": "timestamp"
    },
    {
      "name": "cit_usage_count",
      "type": "int64"
    },
    {
      "name": "cit_last_used_at",
      "type": "timestamp"
    },
    {
      "name": "created_at",
      "type": "timestamp"
    },
    {
      "name": "updated_at",
      "type": "timestamp"
    }
  ],
  "listRoles": [
    {
      "name": "id",
      "type": "text"
    },
    {
      "name": "type",
      "type": "text"
    },
    {
      "name": "name",
      "type": "text"
    },
    {
      "name": "slug",
      "type": "text"
    },
    {
      "name": "description",
      "type": "text"
    },
    {
      "name": "permissions",
      "type": {
        "struct": [
          {
            "name": "allow",
            "type": {
              "list": "text"
            }
          }
        ]
      }
    },
    {
      "name": "assignable_to",
      "type": {
        "list": "text"
      }
    },
    {
      "name": "applies_to",
      "type": {
        "list": "text"
      }
    },
    {
      "name": "is_standalone_assignable",
      "type": "boolean"
    }
  ],
  "listWebhookSubscriptions": [
    {
      "name": "id",
      "type": "text"
    },
    {
      "name": "type",
      "type": "text"
    },
    {
      "name": "active",
      "type": "boolean"
    },
    {
      "name": "url",
      "type": "text"
    },
    {
      "name": "rotating",
      "type": "boolean"
    },
    {
      "name": "merchant_account_id",
      "type": "text"
    },
    {
      "name": "authentication",
      "type": {
        "struct": [
          {
            "name": "kind",
            "type": "text"
          },
          {
            "name": "username",
            "type": "text"
          },
          {
            "name": "password",
            "type": "text"
          }
        ]
      }
    },
    {
      "name": "secret",
      "type": "text"
    },
    {
      "name": "creator",
      "type": {
        "struct": [
          {
            "name": "id",
            "type": "text"
          },
          {
            "name": "name",
            "type": "text"
          },
          {
            "name": "email_address",
            "type": "text"
          }
        ]
      }
    }
  ]
} as const;
