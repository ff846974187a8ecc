//! JSON schema.
