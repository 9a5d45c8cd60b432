//! The names under which types, fields and choices are written, as their own serialisation gives them. A field that is
//! left out because it says nothing is named all the same.

use serde::ser::{
    Error, Impossible, Serialize, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple, Serializer,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

/// For every type its fields, or its choices with theirs as `Choice.field`.
#[derive(Default)]
pub(crate) struct Names(RefCell<BTreeMap<&'static str, BTreeSet<String>>>);

impl Names {
    pub(crate) fn take(&self, value: &impl Serialize) {
        value.serialize(self).unwrap();
    }

    pub(crate) fn told(&self) -> BTreeMap<&'static str, BTreeSet<String>> {
        self.0.borrow().clone()
    }

    fn add(&self, owner: &'static str, name: String) {
        self.0.borrow_mut().entry(owner).or_default().insert(name);
    }
}

/// The fields of a type, or of one of its choices.
pub(crate) struct Fields<'a> {
    names: &'a Names,
    owner: &'static str,
    choice: Option<&'static str>,
}

impl Fields<'_> {
    fn name(&self, field: &'static str) {
        let name = self.choice.map_or_else(|| field.to_owned(), |choice| format!("{choice}.{field}"));
        self.names.add(self.owner, name);
    }
}

/// Something that no record holds.
#[derive(Debug)]
pub(crate) struct Unheard(String);

impl Display for Unheard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unheard {}

impl Error for Unheard {
    fn custom<T: Display>(message: T) -> Unheard {
        Unheard(message.to_string())
    }
}

macro_rules! plain {
    ($($method:ident($type:ty))*) => {
        $(fn $method(self, _: $type) -> Result<(), Unheard> {
            Ok(())
        })*
    };
}

impl<'a> Serializer for &'a Names {
    type Ok = ();
    type Error = Unheard;
    type SerializeSeq = &'a Names;
    type SerializeTuple = &'a Names;
    type SerializeTupleStruct = Impossible<(), Unheard>;
    type SerializeTupleVariant = Impossible<(), Unheard>;
    type SerializeMap = Impossible<(), Unheard>;
    type SerializeStruct = Fields<'a>;
    type SerializeStructVariant = Fields<'a>;

    plain! {
        serialize_bool(bool) serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64)
        serialize_f32(f32) serialize_f64(f64) serialize_char(char) serialize_str(&str) serialize_bytes(&[u8])
        serialize_unit_struct(&'static str)
    }

    fn serialize_none(self) -> Result<(), Unheard> {
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), Unheard> {
        Ok(())
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<(), Unheard> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Result<(), Unheard> {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, owner: &'static str, _: u32, choice: &'static str) -> Result<(), Unheard> {
        self.add(owner, choice.to_owned());
        Ok(())
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        owner: &'static str,
        _: u32,
        choice: &'static str,
        value: &T,
    ) -> Result<(), Unheard> {
        self.add(owner, choice.to_owned());
        value.serialize(self)
    }

    fn serialize_struct(self, owner: &'static str, _: usize) -> Result<Fields<'a>, Unheard> {
        Ok(Fields { names: self, owner, choice: None })
    }

    fn serialize_struct_variant(
        self,
        owner: &'static str,
        _: u32,
        choice: &'static str,
        _: usize,
    ) -> Result<Fields<'a>, Unheard> {
        self.add(owner, choice.to_owned());
        Ok(Fields { names: self, owner, choice: Some(choice) })
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<&'a Names, Unheard> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<&'a Names, Unheard> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, name: &'static str, _: usize) -> Result<Self::SerializeTupleStruct, Unheard> {
        Err(Unheard::custom(format!("{name} has fields without names")))
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _: u32,
        choice: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Unheard> {
        Err(Unheard::custom(format!("{name}::{choice} has fields without names")))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap, Unheard> {
        Err(Unheard::custom("a map, whose keys no page can list"))
    }
}

impl SerializeSeq for &Names {
    type Ok = ();
    type Error = Unheard;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Unheard> {
        value.serialize(*self)
    }

    fn end(self) -> Result<(), Unheard> {
        Ok(())
    }
}

impl SerializeTuple for &Names {
    type Ok = ();
    type Error = Unheard;

    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<(), Unheard> {
        value.serialize(*self)
    }

    fn end(self) -> Result<(), Unheard> {
        Ok(())
    }
}

macro_rules! fields {
    ($($trait:ident)*) => {
        $(impl $trait for Fields<'_> {
            type Ok = ();
            type Error = Unheard;

            fn serialize_field<T: ?Sized + Serialize>(&mut self, field: &'static str, value: &T) -> Result<(), Unheard> {
                self.name(field);
                value.serialize(self.names)
            }

            fn skip_field(&mut self, field: &'static str) -> Result<(), Unheard> {
                self.name(field);
                Ok(())
            }

            fn end(self) -> Result<(), Unheard> {
                Ok(())
            }
        })*
    };
}

fields! { SerializeStruct SerializeStructVariant }
